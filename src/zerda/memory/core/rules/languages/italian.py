"""Italian."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

OTHERS = """
il lo la i gli le l un uno una del dello della dei degli delle dell al allo alla ai agli alle all dal
dallo dalla dai dagli dalle dall nel nello nella nei negli nelle nell sul sullo sulla sui sugli sulle
sull col coi sono sei è siamo siete ero eri era eravamo eravate erano fui fu furono essere stato stata
stati state sarò sarà saranno sarebbe sia siano fosse fossero essendo ho hai ha abbiamo avete hanno avevo
avevi aveva avevamo avevano ebbe avere avuto avrò avrà avranno avrebbe abbia abbiano avesse faccio fai fa
facciamo fate fanno faceva fece fare fatto farà vado vai va andiamo andate vanno andare andato andrà
posso puoi può possiamo potete possono poteva potere potrà potrebbe voglio vuoi vuole vogliamo vogliono
voleva volere vorrei vorrebbe devo devi deve dobbiamo devono doveva dovere dovrebbe sto stai sta stiamo
stanno stava stavano stare e ed o od ma però anche se perché poiché quando mentre come che dunque quindi
allora oppure né sebbene a ad da di d in con su per tra fra sotto sopra senza verso contro durante dopo
prima presso fino oltre attraverso non no sì più meno molto molta molti molte poco poca pochi poche tanto
tanta tanti tante troppo così già ancora sempre mai spesso forse qui qua lì là ora adesso poi subito
quasi solo soltanto bene male meglio proprio pure tutto tutta tutti tutte altro altra altri altre ogni
qualche alcuni alcune alcuno nessun nessuno nessuna qualcuno qualcosa niente nulla stesso stessa stessi
stesse tale tali entrambi ciascuno cosa cose dico dici dice dicono disse dire detto so sai sa sanno
sapere dà dare vedo vede vedere viene venire grazie ciao ok okay ah oh eh beh boh c n s t v
"""

TIMES = time_words(
    months="""gennaio, febbraio, marzo, aprile, maggio, giugno, luglio, agosto, settembre, ottobre, novembre,
        dicembre""",
    weekdays="lunedì, martedì, mercoledì, giovedì, venerdì, sabato, domenica",
    units={
        "day0": "ora ore minuto minuti secondo secondi",
        "day": "giorno giorni notte notti",
        "week": "settimana settimane",
        "weekend": "fine_settimana weekend week-end",
        "month": "mese mesi",
        "year": "anno anni",
        "year10": "decennio decenni",
    },
    numbers="""un una uno=1, due un_paio_di=2, tre=3, quattro=4, cinque=5, sei=6, sette=7, otto=8, nove=9, dieci=10,
        undici=11, dodici=12, quindici=15, venti=20, trenta=30""",
    few="alcuni alcune qualche pochi poche parecchi diversi",
    which="""scorso scorsa scorsi scorse passato passata precedente prima ultimo ultima=-1,
        questo questa quest'=0, prossimo prossima che_viene seguente successivo successiva=1""",
    named="""oggi stamattina stamani stasera stanotte questa_mattina questa_sera=0,
        ieri ieri_sera ieri_mattina ieri_notte il_giorno_prima la_sera_prima la_notte_scorsa=-1,
        l'altro_ieri l'altroieri altroieri ieri_l'altro=-2, domani domattina domani_sera=1, dopodomani=2,
        l'altro_giorno=-7..-1""",
    seasons="primavera, estate, autunno, inverno",
    parts="inizio all'inizio_di inizi_di, metà, fine fine_di",
    ordinals="primo prima=1, secondo seconda=2, terzo terza=3, quarto quarta=4, ultimo ultima=-1",
    sides="prima_del=-1, del=0, dopo_il=1",
    holidays="""natale=12-25, vigilia=12-24, capodanno=1-1, san_silvestro=12-31, ferragosto=8-15,
        san_valentino=2-14""",
    since="dal dall dalla da",
    future=r"""\b(?:prossim\w+|viene|vorrei|vogliamo|progetto|programma|sarà|saremo
        |\w{3,12}(?:erò|irò|erà|irà|eremo|iremo|eranno|iranno)|andrò|andrà|andremo|farò|faremo)\b""",
    past=r"""\b(?:ho|hai|ha|abbiamo|avete|hanno|sono|sei|è|siamo|siete) (?:\w{1,8} )?\w{2,12}(?:at|ut|it|st|tt|rt|es|rs)[oaie]\b
        |\b(?:era|ero|erano|eravamo|fu|\w{3,12}(?:ava|eva|iva|avano|evano))\b""",
    patterns=r"""
        beside (?:{unit}|{weekday}) {side} {day} {month}(?: {year})?
        nth {ord} (?:{unit}|{weekday}) (?:di|del) {month}(?: {year})?
        date (?:dal )?{day} ?(?:[-–—]|al|e) ?{day2} {month}(?: {year})?
        date (?:{weekday} )?{day}°? {month}(?: (?:del )?{year})?
        date (?:{part} (?:di )?)?{month} (?:del )?{year}
        date (?:{part} )?{season} (?:del )?{year}
        date (?:{part}|nel|del) {year}
        date {part} (?:di )?{month}
        which {month} (?:del(?:l[’'])? ?)?{unit} {which}
        which {season} (?:del(?:l[’'])? ?)?{unit} {which}
        which {weekday} (?:della )?{unit} {which}
        ago (?:circa |quasi )?{n} {unit} (?:fa|or sono)
        lasting (?:da|per|durante|negli ultimi|nelle ultime) (?:circa |quasi |più di |oltre )?{n} {unit}
        ahead (?:tra|fra|entro) (?:circa )?{n} {unit}
        named {named}
        which (?:(?:l|nell|dell)[’'] ?|la |nella )?(?:{weekday}|{month}|{season}) {which}
        which {unit} {which}
        which (?:lo |la |il |l[’'])?{which} ?(?:{weekday}|{month}|{season}|{unit})
        which nel {weekend}
        holiday (?:a|per|prima di|dopo|da) {holiday}(?: (?:del )?{year})?
        date (?:a|in|da|di|dal|fino a|entro|nel mese di) {month}
        date (?:in|d[’']|dall[’']|nell[’']|la|l[’']) ?{season}
        date (?<!ogni )(?<!il )(?<!la ){weekday}
        date {month}
        decade (?:gli |degli |negli )?anni (?:[’'] ?)?{decade}
        date {year}(?! ?(?:[%€$]|euro|persone|metri|passi|calorie)\b)(?![.,:/-]\d)
        """,
)

LANGUAGE = language(
    "it",
    "Italian",
    snowball="italian",
    scripts="Latin",
    questions="""chi che cosa cos quale quali qual quando quanto quanta quanti quante dove dov come com
        perché""",
    pronouns="""io me mi mio mia miei mie tu te ti tuo tua tuoi tue egli lui lei ella esso essa si sé suo
        sua suoi sue noi ci ce nostro nostra nostri nostre voi vi ve vostro vostra vostri vostre loro
        essi esse li ne lo gli questo questa questi queste quello quella quelli quelle quel quei quegli
        quell ciò cui""",
    others=OTHERS,
    letters="èòàìù",
    when_phrases=(
        r"^(?!\W*(?:a |di |con )?(?:chi|che|cosa|dove|come|perche|qual[ei]?)\b).*\bquand(?:o\b|[’'])",
        r"(?:da|fino a) quando\b",
        r"(?:in |a |di )?(?:che|quale) (?:data|giorno|settimana|mese|anno|ora|stagione|fine settimana)\b",
        r"qual (?:e|era) la data\b",
        r"(?:da |per )?quant[oaie] (?:tempo|giorni|settimane|mesi|anni|ore)\b",
        r"la data\b",
    ),
    first_person=FirstPerson("io", "mio", before=frozenset({"di", "d"})),
    times=TIMES,
)

"""Italian."""

from .table import FirstPerson, language

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
        r"quand(?:o\b|[’'])",
        r"(?:da|fino a) quando\b",
        r"(?:in |a |di )?(?:che|quale) (?:data|giorno|settimana|mese|anno|ora|stagione|fine settimana)\b",
        r"qual (?:e|era) la data\b",
        r"(?:da |per )?quant[oaie] (?:tempo|giorni|settimane|mesi|anni|ore)\b",
        r"la data\b",
    ),
    first_person=FirstPerson("io", "mio", before=frozenset({"di", "d"})),
)

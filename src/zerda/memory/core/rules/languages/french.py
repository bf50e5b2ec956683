"""French."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

OTHERS = """
le la les l un une des du de d au aux suis es est sommes êtes sont étais était étions étiez étaient été
être étant serai sera seras serons serez seront serais serait seraient fus fut furent sois soit soient ai
as a avons avez ont avais avait avions aviez avaient eu eue avoir ayant aurai aura auras aurons aurez
auront aurais aurait auraient aie ait aient fais fait faisons faites font faire faisait fera ferait vais
vas va allons allez vont aller allé ira irait peux peut pouvons pouvez peuvent pouvoir pouvait pourra
pourrait veux veut voulons voulez veulent vouloir voulait voudrais voudrait dois doit devons devez
doivent devoir devait devrait faut fallait faudra faudrait et ou mais donc or ni car si que qu quand
lorsque lorsqu puisque puisqu parce comme quoique tandis alors à dans en par pour sur sous avec sans chez
entre vers contre depuis pendant avant après dès jusque jusqu jusqu'à malgré parmi selon hors envers afin
lors ne n pas plus moins non oui si très trop peu assez beaucoup bien mal aussi encore déjà toujours
jamais souvent parfois peut-être ici là là-bas ailleurs maintenant ensuite puis enfin même mêmes autre
autres tout toute tous toutes chaque quelque quelques plusieurs certain certaine certains certaines aucun
aucune tel telle tels telles seulement surtout plutôt presque environ ainsi cependant pourtant néanmoins
sinon voilà voici rien quelqu chose choses personne dit dis disent dire disait parle parler sait sais
savoir vois voit voir met mettre prend prendre vient viens venir merci salut bonjour ok okay ah oh ben
bah hein ouais s t j m c y
"""

TIMES = time_words(
    months="""janvier janv, février févr, mars, avril, mai, juin, juillet, août, septembre sept, octobre oct,
        novembre nov, décembre déc""",
    weekdays="lundi, mardi, mercredi, jeudi, vendredi, samedi, dimanche",
    units={
        "day0": "heure heures minute minutes seconde secondes",
        "day": "jour jours nuit nuits",
        "week": "semaine semaines",
        "week2": "quinzaine",
        "weekend": "week-end week-ends weekend weekends",
        "month": "mois",
        "year": "an ans année années",
        "year10": "décennie décennies",
    },
    numbers="""un une=1, deux=2, trois=3, quatre=4, cinq=5, six=6, sept=7, huit=8, neuf=9, dix=10, onze=11,
        douze=12, quinze=15, vingt=20, trente=30""",
    few="quelques plusieurs",
    which="""dernier dernière derniers dernières passé passée précédent précédente d'avant=-1,
        ce cet cette=0, prochain prochaine suivant suivante qui_vient d'après=1""",
    named="""aujourd'hui ce_matin ce_soir cet_après-midi cette_nuit ce_midi=0,
        hier hier_soir hier_matin la_veille la_nuit_dernière=-1, avant-hier=-2, demain demain_matin demain_soir=1,
        après-demain=2, l'autre_jour=-7..-1""",
    seasons="printemps, été, automne, hiver",
    parts="début début_du, mi milieu_de, fin fin_du",
    ordinals="premier première=1, deuxième second seconde=2, troisième=3, quatrième=4, dernier dernière=-1",
    sides="avant avant_le précédant_le=-1, du=0, après après_le suivant_le=1",
    holidays="noël=12-25, réveillon=12-24, nouvel_an jour_de_l'an=1-1, la_saint-valentin saint-valentin=2-14",
    since="depuis",
    future=r"""\b(?:vais|vas|va|allons|allez|vont|prochain\w*|sera|serai|serons|seront|ira|irai|irons|prévu\w*
        |compte|comptons|bientôt|\w{3,12}(?:erai|erons|eront|irai|irons|iront))\b""",
    past=r"""\b(?:ai|as|a|avons|avez|ont|suis|es|est|sommes|êtes|sont) (?:\w{1,8} )?\w{2,12}(?:é|ée|és|ées|i|u|is|it)\b
        |\b\w{2,12}(?:ais|ait|aient)\b""",
    patterns=r"""
        beside (?:{unit}|{weekday}) {side} {day}(?:er)? {month}(?: {year})?
        nth {ord} (?:{unit}|{weekday}) (?:de |d[’'])?{month}(?: {year})?
        date (?:du )?{day}(?:er)? ?(?:[-–—]|au|et) ?{day2} {month}(?: {year})?
        date (?:{weekday} )?(?:le )?{day}(?:er)? {month}(?: {year})?
        date (?:{part}[ -])?{month} (?:de )?{year}
        date (?:{part}[ -](?:de l[’'])?)?{season} (?:de )?{year}
        date (?:{part}|en|l[’']année|en l[’']an) {year}
        date {part}[ -]{month}
        which (?:en )?{month} (?:de )?(?:l[’'])?{unit} {which}
        which {season} (?:de )?l[’']{unit} {which}
        which {weekday} (?:de )?(?:la )?{unit} {which}
        lasting (?:depuis|pendant|durant|ces|au cours des|les) (?:environ |presque |plus de |près de )?{n} (?:dernières |derniers )?{unit}
        ago il y a (?:environ |presque |plus de |près de )?{n} {unit}
        ago voilà {n} {unit}
        ahead (?:dans|d[’']ici) (?:environ |moins de )?{n} {unit}
        named {named}
        which (?:(?:le|la|les|l[’']|au|en) ?)?(?:{weekday}|{month}|{season}) {which}
        which (?:(?:le|la|l[’']|au|en|cet?|cette) ?)?(?:{part} (?:de )?)?{unit} {which}
        which {which} (?:{weekday}|{season}|{unit})
        which (?:le|au) {weekend}
        holiday (?:à|pour|avant|après|depuis|pendant) {holiday}(?: {year})?
        date (?:en|depuis|avant|après|jusqu[’']en|au mois de|au mois d[’']) ?{month}
        date (?:en|au|pendant l[’']|depuis l[’']) ?{season}
        date (?<!le )(?<!chaque )(?<!les ){weekday}
        date (?<=depuis le )(?:le )?{day}(?:er)?
        decade (?:les |des )?années {decade}
        date {year}(?! ?(?:[%€$]|euros|personnes|gens|mètres|calories|pas)\b)(?![.,:/-]\d)
        """,
    weak="mars",
)

LANGUAGE = language(
    "fr",
    "French",
    snowball="french",
    scripts="Latin",
    questions="""qui que quoi quel quelle quels quelles quand où comment pourquoi combien lequel laquelle
        lesquels lesquelles duquel auquel est-ce""",
    pronouns="""je j me m moi mon ma mes mien mienne miens miennes tu te t toi ton ta tes tien tienne tiens
        il elle on le la lui se s soi son sa ses sien sienne nous notre nos nôtre vous votre vos vôtre
        ils elles eux leur leurs ce c cet cette ces ceci cela ça celui celle ceux celles dont y en""",
    others=OTHERS,
    letters="çœêèàùîôûëï",
    when_phrases=(
        r"^(?!\W*(?:a |de |avec )?(?:qui|quoi|ou|comment|pourquoi|quel\w*|combien)\b).*\bquand\b",
        r"(?:depuis|jusqu'a|jusqu’a) quand\b",
        r"quelle? (?:date|jour|semaine|mois|annee|heure|saison|week-end|epoque)s?\b",
        r"quelle? (?:est|etait) la date\b",
        r"(?:depuis |pendant |en )?combien de (?:temps|jours?|semaines?|mois|annees?|ans|heures?)\b",
        r"en quelle (?:annee|saison)\b",
        r"la date\b",
    ),
    first_person=FirstPerson("je", "mon", before=frozenset({"de", "d"})),
    times=TIMES,
)

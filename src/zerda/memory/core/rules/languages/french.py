"""French."""

from .table import FirstPerson, language

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
        r"quand\b",
        r"(?:depuis|jusqu'a|jusqu’a) quand\b",
        r"quelle? (?:date|jour|semaine|mois|annee|heure|saison|week-end|epoque)s?\b",
        r"quelle? (?:est|etait) la date\b",
        r"(?:depuis |pendant |en )?combien de (?:temps|jours?|semaines?|mois|annees?|ans|heures?)\b",
        r"en quelle (?:annee|saison)\b",
        r"la date\b",
    ),
    first_person=FirstPerson("je", "mon", before=frozenset({"de", "d"})),
)

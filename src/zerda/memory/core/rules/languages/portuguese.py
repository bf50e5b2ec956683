"""Portuguese."""

from .table import FirstPerson, language

OTHERS = """
o a os as um uma uns umas ao aos à às do da dos das no na nos nas num numa nuns numas pelo pela pelos
pelas dum duma neste nesta nisto nesse nessa nisso naquele naquela deste desta disto desse dessa disso
daquele daquela sou és é somos são era eras éramos eram fui foste foi fomos foram ser sido sendo será
serão seria seriam seja sejam fosse fossem estou estás está estamos estão estava estavas estávamos
estavam estive esteve estiveram estar estado estando estará esteja tô tá tenho tens tem temos têm tinha
tinhas tínhamos tinham tive teve tiveram ter tido terá teria tenha há havia houve haver faço fazes faz
fazemos fazem fazia fiz fez fizeram fazer feito fará vou vais vai vamos vão ia iam ir ido irá posso podes
pode podemos podem podia pôde poder poderá poderia quero queres quer queremos querem queria quis querer
devo deves deve devemos devem devia dever deveria e ou mas porém se porque pois que como quando enquanto
embora portanto então nem logo a ante até após com contra de desde durante em entre para pra pro perante
por sem sob sobre não sim mais menos muito muita muitos muitas pouco pouca poucos poucas tão tanto tanta
já ainda sempre nunca jamais talvez aqui aí ali lá cá agora depois antes quase só somente apenas bem mal
melhor pior também inclusive todo toda todos todas tudo outro outra outros outras cada qualquer algum
alguma alguns algumas nenhum nenhuma vários várias mesmo mesma mesmos mesmas tal tais ambos ambas algo
nada alguém ninguém coisa coisas digo diz dizem disse dizer dito sei sabe sabem saber dá dar deu ver viu
vem vir obrigado obrigada olá oi ok okay ah oh né
"""

LANGUAGE = language(
    "pt",
    "Portuguese",
    snowball="portuguese",
    scripts="Latin",
    questions="""que quê quem qual quais quando quanto quanta quantos quantas onde aonde donde como porquê
        por_que porque cadê""",
    pronouns="""eu me mim meu minha meus minhas comigo tu te ti teu tua teus tuas contigo você vocês ele ela
        eles elas se si lhe lhes o a os as seu sua seus suas consigo nós nos nosso nossa nossos nossas
        conosco connosco vós vos vosso vossa gente este esta isto estes estas esse essa isso esses essas
        aquele aquela aquilo aqueles aquelas""",
    others=OTHERS,
    letters="ãõçêôâ",
    when_phrases=(
        r"quando\b.*\?",
        r"^\W*(?:desde |ate |para |de )?quando\b",
        r"(?:desde|ate|sabe|lembra) quando\b",
        r"(?:em |a |de )?(?:que|qual) (?:data|dia|semana|mes|ano|hora|estacao|epoca|fim de semana)\b",
        r"qual (?:e|era|foi) a data\b",
        r"(?:ha |por )?quant[oa]s? (?:tempo|dias?|semanas?|meses|anos?|horas?)\b",
        r"a data\b",
    ),
    first_person=FirstPerson("eu", "meu", before=frozenset({"de", "da", "do"})),
)

"""Portuguese."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

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

TIMES = time_words(
    months="""janeiro jan, fevereiro fev, março, abril, maio, junho, julho, agosto, setembro, outubro, novembro,
        dezembro""",
    weekdays="""segunda-feira segunda, terça-feira terça, quarta-feira quarta, quinta-feira quinta,
        sexta-feira sexta, sábado, domingo""",
    units={
        "day0": "hora horas minuto minutos segundo segundos",
        "day": "dia dias noite noites",
        "week": "semana semanas",
        "weekend": "fim_de_semana fins_de_semana final_de_semana",
        "month": "mês meses",
        "year": "ano anos",
        "year10": "década décadas",
    },
    numbers="""um uma=1, dois duas um_par_de=2, três=3, quatro=4, cinco=5, seis=6, sete=7, oito=8, nove=9, dez=10,
        onze=11, doze=12, quinze=15, vinte=20, trinta=30""",
    few="alguns algumas uns umas vários várias poucos poucas",
    which="""passado passada último última anterior=-1, este esta neste nesta esse essa nesse nessa deste desta=0,
        próximo próxima que_vem seguinte=1""",
    named="""hoje esta_manhã hoje_de_manhã hoje_à_noite esta_noite=0,
        ontem ontem_à_noite ontem_de_manhã na_véspera no_dia_anterior=-1, anteontem antes_de_ontem=-2,
        amanhã=1, depois_de_amanhã=2, outro_dia no_outro_dia=-7..-1""",
    seasons="primavera, verão, outono, inverno",
    parts="início_de começo_de princípio_de, meados_de, fim_de final_de finais_de",
    ordinals="primeiro primeira=1, segundo segunda=2, terceiro terceira=3, quarto quarta=4, último última=-1",
    sides="antes_de=-1, de=0, depois_de=1",
    holidays="natal=12-25, véspera_de_natal=12-24, réveillon=12-31, ano_novo=1-1",
    since="desde",
    weak="segunda terça quarta quinta sexta",
    future=r"""\b(?:vou|vais|vai|vamos|vão|próxim\w+|vem|quero|queremos|pretendo|planejo|será|serão
        |\w{3,12}(?:arei|erei|irei|ará|erá|irá|aremos|eremos|iremos|arão|erão|irão))\b""",
    past=r"""\b(?:fui|foi|fomos|foram|era|eram|estava|estive|esteve|tive|teve|tivemos|fiz|fez|fizemos|vi|viu|vimos
        |veio|dei|deu|disse|comprei|comprou|conheci|conheceu|cheguei|chegou|comecei|começou|nasceu|mudei|mudou|viajei
        |viajamos|\w{3,12}(?:aram|eram|iram|ava|avam|aste|este))\b""",
    patterns=r"""
        beside (?:{unit}|{weekday}) {side} {day} de {month}(?: de {year})?
        nth {ord} (?:{unit}|{weekday}) de {month}(?: de {year})?
        date (?:de )?{day} ?(?:[-–—]|a|e) ?{day2} de {month}(?: de {year})?
        date (?:{weekday},? )?(?:dia )?{day}º? de {month}(?:,? (?:de )?{year})?
        date (?:{part} )?{month} (?:de )?{year}
        date (?:na |no )?(?:{part} )?{season} (?:de )?{year}
        date (?:{part}|em|no ano de) {year}
        date {part} {month}
        which {month} (?:do )?{unit} {which}
        which {season} (?:do )?{unit} {which}
        which {weekday} (?:da )?{unit} {which}
        ago (?:há|faz) (?:cerca de |quase |mais de |uns |umas )?{n} {unit}(?: atrás)?
        ago {n} {unit} atrás
        ahead (?:daqui a|dentro de) {n} {unit}
        ahead! em {n} {unit}
        lasting (?:por|durante|nos últimos|nas últimas) (?:cerca de |quase |mais de )?{n} {unit}
        named (?<!da ){named}
        which (?:na |no |da |do )?(?:{weekday}|{month}|{season}) {which}
        which {unit} {which}
        which {which} (?:{weekday}|{month}|{season}|{unit})
        which no {weekend}
        holiday (?:no|em|para o|antes do|depois do|desde o) {holiday}(?: (?:de )?{year})?
        date (?:em|desde|até|de|antes de|depois de) {month}
        date (?:na|no|desde o|desde a|durante o|durante a) {season}
        date (?:na|no|nesta|neste|até|desde|para) {weekday}
        date (?<!cada )(?<!toda )(?<!todo )(?<!aos )(?<!às ){weekday}
        date {month}
        decade (?:nos |dos |os )?anos {decade}
        date {year}(?! ?(?:[%€$]|reais|euros|pessoas|metros|passos|calorias)\b)(?![.,:/-]\d)
        """,
)

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
        r"^(?!\W*(?:a |de |com )?(?:quem|o que|que|onde|como|por que|qual|quais)\b).*\bquando\b.*\?",
        r"^\W*(?:desde |ate |para |de )?quando\b",
        r"(?:desde|ate|sabe|lembra) quando\b",
        r"(?:em |a |de )?(?:que|qual) (?:data|dia|semana|mes|ano|hora|estacao|epoca|fim de semana)\b",
        r"qual (?:e|era|foi) a data\b",
        r"(?:ha |por )?quant[oa]s? (?:tempo|dias?|semanas?|meses|anos?|horas?)\b",
        r"a data\b",
    ),
    first_person=FirstPerson("eu", "meu", before=frozenset({"de", "da", "do"})),
    times=TIMES,
)

"""Spanish."""
# ruff: noqa: E501 - a template is one line

from .table import FirstPerson, language, time_words

OTHERS = """
el la los las lo un una unos unas al del soy eres es somos sois son era eras éramos eran fui fuiste fue
fuimos fueron ser sido siendo será serán sería serían sea sean fuera fueran estoy estás está estamos
estáis están estaba estabas estábamos estaban estuve estuvo estuvieron estar estado estando estará
estaría esté estén he has ha hemos habéis han había habías habíamos habían hube hubo haber habido hay
haya hayan habrá habría tengo tienes tiene tenemos tienen tenía tenían tuve tuvo tuvieron tener tenido
tendrá tendría hago haces hace hacemos hacen hacía hice hizo hicieron hacer hecho hará haría puedo puedes
puede podemos pueden podía pude pudo poder podrá podría quiero quieres quiere queremos quieren quería
quiso querer debo debes debe debemos deben debía deber debería voy vas va vamos van iba iban ir ido irá
iría vaya y e o u pero mas sino si porque pues que como cuando aunque mientras donde entonces así a ante
bajo con contra de desde durante en entre hacia hasta mediante para por según sin sobre tras excepto no
ni sí tampoco también muy más menos mucho mucha muchos muchas poco poca pocos pocas tan tanto tanta
tantos tantas ya aún todavía siempre nunca jamás a_veces quizá quizás aquí ahí allí allá ahora luego
después antes casi sólo solo solamente bien mal mejor peor además incluso apenas todo toda todos todas
otro otra otros otras cada cualquier cualquiera algún alguna algunos algunas alguno ningún ninguna
ninguno varios varias mismo misma mismos mismas tal tales ambos ambas demás algo nada alguien nadie cosa
cosas digo dice dicen dijo decir dicho sé sabe saben saber da dan dar dio ve ver gracias hola vale ok
okay ah oh eh bueno pues
"""

TIMES = time_words(
    months="""enero, febrero, marzo, abril, mayo, junio, julio, agosto, septiembre setiembre, octubre, noviembre,
        diciembre""",
    weekdays="lunes, martes, miércoles, jueves, viernes, sábado, domingo",
    units={
        "day0": "hora horas minuto minutos segundo segundos",
        "day": "día días noche noches",
        "week": "semana semanas",
        "weekend": "fin_de_semana fines_de_semana finde",
        "month": "mes meses",
        "year": "año años",
        "year10": "década décadas",
    },
    numbers="""un una uno=1, dos un_par_de=2, tres=3, cuatro=4, cinco=5, seis=6, siete=7, ocho=8, nueve=9,
        diez=10, once=11, doce=12, quince=15, veinte=20, treinta=30""",
    few="unos unas algunos algunas varios varias pocos pocas unos_pocos unas_pocas unos_cuantos",
    which="""pasado pasada último última anterior=-1, este esta ese=0,
        próximo próxima que_viene siguiente entrante=1""",
    named="""hoy esta_mañana esta_tarde esta_noche=0, ayer anoche ayer_por_la_noche ayer_por_la_mañana
        el_día_anterior la_noche_anterior=-1, anteayer antier antes_de_ayer=-2, mañana mañana_por_la_mañana
        mañana_por_la_noche=1, pasado_mañana=2, el_otro_día la_otra_noche=-7..-1""",
    seasons="primavera, verano, otoño, invierno",
    parts="principios_de inicios_de comienzos_de, mediados_de, finales_de fines_de",
    ordinals="primer primera=1, segundo segunda=2, tercer tercera=3, cuarto cuarta=4, último última=-1",
    sides="antes_del=-1, del=0, después_del=1",
    holidays="""navidad=12-25, nochebuena=12-24, nochevieja fin_de_año=12-31, año_nuevo=1-1, san_valentín=2-14,
        reyes=1-6""",
    since="desde",
    future=r"""\b(?:voy|vas|va|vamos|van) a\b|\b(?:próxim\w+|viene|planeo|planeamos|quiero|queremos|pienso
        |\w{3,12}(?:aré|eré|iré|ará|erá|irá|aremos|eremos|iremos|arán|erán|irán))\b""",
    past=r"""\b(?:fui|fue|fuimos|fueron|era|eran|estaba|estuve|estuvo|estuvimos|tuve|tuvo|hice|hizo|hicimos|vi|vimos
        |vino|vinieron|di|dio|dije|dijo|había|he|ha|hemos|han|pasó|empezó|empecé|nació|compré|compró|conocí|conoció
        |llegó|llegué|salió|comí|\w{3,12}(?:aste|iste|aron|ieron|aba|aban))\b""",
    patterns=r"""
        beside (?:{unit}|{weekday}) {side} {day} de {month}(?: del? {year})?
        nth {ord} (?:{unit}|{weekday}) de {month}(?: del? {year})?
        date (?:del )?{day} ?(?:[-–—]|al|a|y) ?{day2} de {month}(?: del? {year})?
        date (?:{weekday},? )?(?:el )?{day}(?:º|o)? de {month}(?:,? (?:del? )?{year})?
        date (?:{part} )?{month} (?:del? )?{year}
        date (?:en )?(?:el |la )?(?:{part} )?{season} (?:del? )?{year}
        date (?:{part}|en|en el año) {year}
        date {part} {month}
        which {month} (?:del? )?{unit} {which}
        which {season} (?:del? )?{unit} {which}
        which {weekday} (?:de )?(?:la )?{unit} {which}
        lasting (?:desde hace|durante|por|llevo|lleva|llevamos|llevan) (?:unos |casi |más de |los últimos |las últimas )?{n} {unit}
        ago (?:hace|hará) (?:unos |casi |más de |como )?{n} {unit}
        ago {n} {unit} atrás
        ahead dentro de (?:unos )?{n} {unit}
        ahead! en (?:unos )?{n} {unit}
        named (?<!la )(?<!por la )(?<!de la ){named}
        which (?:en )?(?:el |la )?(?:{weekday}|{month}|{season}) {which}
        which (?:{part} )?(?:el |la |este |esta )?{unit} {which}
        which {which} (?:{weekday}|{month}|{season}|{unit})
        which el {weekend}
        holiday (?:en|por|para|antes de|después de|desde) (?:la )?{holiday}(?: (?:de )?{year})?
        date (?:en|desde|hasta|para|por|antes de|después de|a) {month}
        date (?:en|desde|durante) (?:el |la )?{season}
        date (?<!los )(?<!cada ){weekday}
        date {month}
        decade (?:los |de los )?(?:años )(?:de los )?{decade}
        date {year}(?! ?(?:[%€$]|euros|dólares|pesos|personas|metros|pasos|calorías)\b)(?![.,:/-]\d)
        """,
)

LANGUAGE = language(
    "es",
    "Spanish",
    snowball="spanish",
    scripts="Latin",
    questions="""qué quién quiénes cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde adónde cómo
        por_qué que quien quienes cual cuales cuando cuanto donde como""",
    pronouns="""yo me mí mi mis mío mía míos mías conmigo tú te ti tu tus tuyo tuya tuyos tuyas contigo él
        ella ello le lo la se sí su sus suyo suya suyos suyas consigo usted ustedes nosotros nosotras nos
        nuestro nuestra nuestros nuestras vosotros vosotras os vuestro vuestra vuestros vuestras ellos
        ellas les los las este esta esto estos estas ese esa eso esos esas aquel aquella aquello aquellos
        aquellas éste ésta éstos éstas ése ésa""",
    others=OTHERS,
    letters="ñ¿¡áíóú",
    when_phrases=(
        r"^(?!\W*(?:a |de |con )?(?:quien(?:es)?|que|donde|como|por que|cual(?:es)?)\b).*\bcuando\b.*\?",
        r"^\W*(?:desde |hasta |para |de )?cuando\b",
        r"(?:desde|hasta|sabes|recuerdas) cuando\b",
        r"(?:en |a )?que (?:fecha|dia|semana|mes|ano|hora|estacion|epoca|fin de semana)s?\b",
        r"cual (?:es|era|fue) la fecha\b",
        r"cuant[oa]s? (?:tiempo|dias?|semanas?|meses|anos?|horas?)\b",
        r"la fecha\b",
    ),
    first_person=FirstPerson("yo", "mi", before=frozenset({"de"})),
    times=TIMES,
)

"""Spanish."""

from .table import FirstPerson, language

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
        r"cuando\b.*\?",
        r"^\W*(?:desde |hasta |para |de )?cuando\b",
        r"(?:desde|hasta|sabes|recuerdas) cuando\b",
        r"(?:en |a )?que (?:fecha|dia|semana|mes|ano|hora|estacion|epoca|fin de semana)s?\b",
        r"cual (?:es|era|fue) la fecha\b",
        r"cuant[oa]s? (?:tiempo|dias?|semanas?|meses|anos?|horas?)\b",
        r"la fecha\b",
    ),
    first_person=FirstPerson("yo", "mi", before=frozenset({"de"})),
)

"""Names in Spanish."""
# ruff: noqa: E501 - a template is one line

from .table import name_words

ADV = r"(?:(?:también|ahora|todavía|aún|ya|siempre|actualmente|antes) )?"
WORDS = name_words(
    titles="sr sra srta señor señora señorita don doña dr dra doctor doctora profesor profesora tío tía abuela abuelo",
    kin="""hermana hermanas=sister, hermano hermanos=brother, madre mamá=mother, padre papá=father, hijo hijos=son,
        hija hijas=daughter, esposa mujer=wife, esposo marido=husband, pareja=partner, prometida prometido=fiance,
        novia=girlfriend, novio=boyfriend, amigo amiga amigos amigas=friend, primo prima primos=cousin, tía=aunt, tío=uncle,
        sobrina=niece, sobrino=nephew, abuela=grandmother, abuelo=grandfather, vecino vecina=neighbour,
        colega compañero compañera=colleague, jefe jefa=boss, profesor profesora=teacher, perro perra=dog, gato gata=cat""",
    person_verbs="""dice dijo piensa trabaja trabajaba vive vivía ama quiere quería conoce conoció juega
        estudia estudió enseña escribe escribió preguntó cuenta contó fundó creó nació habla prefiere llegó
        llamó""",
    before_person="con, llama, conocí, conozco, querido, querida, hola, llamado, llamada, por, casó con, hermana de, hermano de, amiga de, amigo de",
    before_place="en, desde, hacia, hasta, visité, visitó, cerca de, ir a, viajé a, viajar a, mudó a, mudé a, fui a, voy a, nació en",
    before_organisation="trabaja en, trabajo en, trabajaba en, trabaja para, empresa, compañía, banda, equipo, club, estudia en, estudió en, contratado por",
    before_product="mi nuevo, mi nueva, un nuevo, una nueva, compré un, compré una, uso, usa, instalé, juego a",
    organisation_words="sa sl universidad escuela colegio instituto banco ministerio hospital museo fundación asociación sociedad grupo club orquesta academia teatro facultad empresa panadería",
    place_words="calle avenida plaza lago monte isla aeropuerto estación parque playa puente bosque valle castillo barrio río catedral",
    joiners="de la, de los, de las, del, de, la, los, las, &",
    articles="el la los las un una unos unas mi mis tu tus su sus nuestro nuestra este esta ese esa al del",
    not_names="""lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto
        septiembre octubre noviembre diciembre navidad pascua primavera verano otoño invierno hola gracias sí no yo ayer
        hoy mañana querido querida mamá papá dios ok tv pc usb pdf ia español inglés francés alemán italiano sr sra dr usuario
        asistente user cuándo cómo dónde quién qué por para pero también además mi me nos""",
    verb_endings="mente",
    macros={"adv": ADV},
    sayings=r"""
        works_at {a} {adv}(?:trabaja|trabajaba|trabajó|trabajan) {adv}(?:como \w+ )?en (?:el |la )?{b}
        works_at {a} (?:empezó a trabajar|entró) en {b}
        works_for {a} {adv}(?:trabaja|trabajaba|trabajó|trabajan) {adv}para {b}
        works_with {a} {adv}(?:trabaja|trabajaba|trabajó|trabajan) {adv}con {b}
        knows {a} {adv}(?:conoce|conocía|conocen) {adv}a {b}
        met {a} (?:conoció|encontró) a {b}
        lives_in {a} {adv}(?:vive|vivía|vivió|viven|reside) {adv}en {b}
        lives_in {a} (?:se mudó|se muda|se ha mudado|se trasladó) {adv}a {b}
        comes_from {a} (?:es|era|viene|proviene) de {b}
        born_in {a} nació en {b}
        studies_at {a} {adv}(?:estudia|estudió|estudiaba|enseña|enseñó) (?:[\w ]{1,30} )?en (?:el |la )?{b}
        married_to {a} está {adv}casad[oa] con {b}
        married_to {a} se (?:casó|casa|ha casado) con {b}
        married_to {a} y {b} (?:están casados|se casaron)
        founded {a} (?:fundó|ha fundado) (?:la empresa )?{b}
        created {a} (?:creó|inventó|diseñó|desarrolló) {b}
        wrote {a} (?:escribió|compuso|dirigió|ha escrito) {b}
        visited {a} (?:visitó|ha visitado|viajó a) {b}
        located_in {a} (?:está|queda|se encuentra) en {b}
        uses {a} {adv}(?:usa|utiliza) {b}
        owns {a} (?:compró|tiene|se compró) (?:un |una |el |la )?(?:nuevo |nueva )?{b}
        leads {a} {adv}(?:dirige|lidera) {b}
        {kin}_of {a} es (?:la |el |una? )?(?:\w+ )?{kin} de {b}
        {kin}_of {a}, (?:la |el )?{kin} de {b}
        {kin}_of (?:la |el ){kin} de {b} (?:se llama|es) {a}
        {kin}_of {a} y {b} son {kin}\b
        {role}_of {a} es (?:la |el |una? ){role} (?:de |del |en ){b}
        """,
)

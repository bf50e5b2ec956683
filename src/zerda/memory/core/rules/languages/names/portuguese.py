"""Names in Portuguese."""
# ruff: noqa: E501 - a template is one line

from .table import name_words

ADV = r"(?:(?:também|agora|ainda|já|sempre|atualmente) )?"
ART = "(?:o |a |os |as )?"
WORDS = name_words(
    titles="sr sra senhor senhora dr dra doutor doutora prof professor professora dona dom tio tia avó avô",
    kin="""irmã irmãs=sister, irmão irmãos=brother, mãe mamãe=mother, pai papai=father, filho filhos=son, filha filhas=daughter,
        esposa mulher=wife, marido esposo=husband, companheira companheiro=partner, noiva noivo=fiance,
        namorada=girlfriend, namorado=boyfriend, amigo amiga amigos amigas=friend, primo prima primos=cousin, tia=aunt,
        tio=uncle, sobrinha=niece, sobrinho=nephew, avó=grandmother, avô=grandfather, vizinho vizinha=neighbour,
        colega colegas=colleague, chefe=boss, professor professora=teacher, cachorro cão=dog, gato gata=cat""",
    person_verbs="""diz disse pensa trabalha trabalhava vive vivia mora morava ama quer queria conhece
        conheceu joga estuda estudou ensina escreve escreveu perguntou conta contou fundou criou nasceu fala
        prefere chegou ligou gosta""",
    before_person="com, chama, conheci, conheço, querido, querida, olá, oi, chamado, chamada, por, irmã de, amigo de",
    before_place="em, desde, mudou para, mudei para, viajei para, ir para, fui para, vou para, até, visitei, visitou, perto de, ao",
    before_organisation="trabalha na, trabalha no, trabalho na, trabalho no, trabalhava na, trabalha para, empresa, banda, time, clube, estuda na, estudou na, contratado por, trabalha em",
    before_product="meu novo, minha nova, um novo, uma nova, comprei um, comprei uma, uso, usa, instalei",
    organisation_words="sa ltda universidade escola colégio instituto banco ministério hospital museu fundação associação sociedade grupo clube orquestra academia teatro faculdade empresa padaria",
    place_words="rua avenida praça lago monte ilha aeroporto estação parque praia ponte floresta vale castelo bairro rio catedral",
    joiners="da, do, das, dos, de, &",
    articles="o a os as um uma meu minha meus minhas teu tua seu sua nosso nossa este esta esse essa ao à no na do da",
    not_names="""segunda terça quarta quinta sexta sábado domingo janeiro fevereiro março abril maio junho julho agosto
        setembro outubro novembro dezembro natal páscoa primavera verão outono inverno olá oi obrigado obrigada sim não eu
        ontem hoje amanhã querido querida mamãe papai deus ok tv pc usb pdf ia português inglês francês alemão espanhol sr sra dr
        usuário assistente user quando como onde quem que por para mas também meu minha""",
    verb_endings="mente",
    macros={"adv": ADV, "o": ART, "em": "(?:em|na|no|nas|nos)"},
    sayings=r"""
        works_at {a} {adv}(?:trabalha|trabalhava|trabalhou|trabalham) {adv}(?:como \w+ )?{em} {b}
        works_for {a} {adv}(?:trabalha|trabalhava|trabalhou|trabalham) {adv}(?:para|pra) {o}{b}
        works_with {a} {adv}(?:trabalha|trabalhava|trabalhou|trabalham) {adv}com {o}{b}
        knows {a} {adv}(?:conhece|conhecia|conhecem) {adv}{o}{b}
        met {a} (?:conheceu|encontrou) {o}{b}
        lives_in {a} {adv}(?:mora|morava|vive|vivia|moram|vivem) {adv}(?:{em}|perto de) {b}
        lives_in {a} (?:se mudou|mudou-se|se muda|mudou) {adv}(?:para|pra) {o}{b}
        comes_from {a} (?:é|era|vem|veio) (?:de|do|da) {b}
        born_in {a} nasceu {em} {b}
        studies_at {a} {adv}(?:estuda|estudou|estudava|ensina|ensinou) (?:[\w ]{1,30} )?{em} {b}
        married_to {a} é {adv}casad[oa] com {o}{b}
        married_to {a} (?:se casou|casou-se|casou) com {o}{b}
        married_to {a} e {o}{b} (?:são casados|se casaram)
        founded {a} fundou (?:a empresa |o |a )?{b}
        created {a} (?:criou|inventou|desenvolveu) {o}{b}
        wrote {a} (?:escreveu|compôs|dirigiu) {o}{b}
        visited {a} (?:visitou|viajou para) {o}{b}
        located_in {a} (?:fica|está|se encontra) {em} {b}
        uses {a} {adv}(?:usa|utiliza) {o}{b}
        owns {a} (?:comprou|tem|possui) (?:um |uma |o |a )?(?:novo |nova )?{b}
        leads {a} {adv}(?:dirige|lidera) {o}{b}
        {kin}_of {a} é {o}(?:uma? )?(?:\w+ )?{kin} d[eoa] {b}
        {kin}_of {a}, {o}{kin} d[eoa] {b}
        {kin}_of {o}{kin} d[eoa] {b} (?:se chama|chama-se|é) {o}{a}
        {kin}_of {a} e {o}{b} são {kin}\b
        {role}_of {a} é (?:o |a |um |uma ){role} (?:de |do |da ){b}
        """,
)

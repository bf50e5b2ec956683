"""Names in Italian."""
# ruff: noqa: E501 - a template is one line

from .table import name_words

ADV = r"(?:(?:anche|ora|adesso|ancora|sempre|già|attualmente|spesso) )?"
WORDS = name_words(
    titles="sig signor signora signorina dott dottor dottoressa dr prof professor professoressa zio zia nonna nonno don",
    kin="""sorella sorelle=sister, fratello fratelli=brother, madre mamma=mother, padre papà babbo=father, figlio figli=son,
        figlia figlie=daughter, moglie=wife, marito=husband, compagna compagno=partner, fidanzata=girlfriend,
        fidanzato=boyfriend, amico amica amici amiche=friend, cugino cugina cugini=cousin, zia=aunt, zio=uncle,
        nipote=nephew, nonna=grandmother, nonno=grandfather, vicino vicina=neighbour, collega colleghi=colleague,
        capo=boss, insegnante=teacher, coinquilino coinquilina=roommate, cane=dog, gatto gatta=cat""",
    person_verbs="""dice disse pensa lavora lavorava vive viveva abita abitava ama vuole voleva conosce
        conobbe gioca studia studiava insegna scrive chiede racconta fondò nacque parla preferisce""",
    before_person="con, chiama, conosco, conosciuto, incontrato, caro, cara, ciao, di nome, sposato, sposata",
    before_place="a, in, verso, visitato, andare a, vado a, trasferita a, trasferito a, nato a, nata a, vicino a, fino a",
    before_organisation="lavora in, lavora per, lavora alla, lavora presso, presso, azienda, società, gruppo, squadra, club, studia a, assunto da, assunta da, lavora da",
    before_product="il mio nuovo, la mia nuova, un nuovo, una nuova, comprato un, comprato una, uso, usa, installato, gioco a",
    organisation_words="spa srl università scuola liceo istituto banca ministero ospedale museo fondazione associazione società gruppo club orchestra accademia teatro politecnico panificio",
    place_words="via piazza viale corso lago monte isola aeroporto stazione parco spiaggia ponte foresta valle castello fiume duomo",
    joiners="della, del, dei, delle, degli, di, de, da, dal, d', la, lo, &",
    articles="il lo la i gli le un uno una mio mia miei mie tuo tua suo sua nostro nostra questo questa quel quella al alla del della dal nel nella",
    not_names="""lunedì martedì mercoledì giovedì venerdì sabato domenica gennaio febbraio marzo aprile maggio giugno luglio
        agosto settembre ottobre novembre dicembre natale pasqua primavera estate autunno inverno ciao grazie sì no io ieri
        oggi domani caro cara mamma papà dio ok tv pc usb pdf ia italiano inglese francese tedesco spagnolo sig dott dr utente
        assistente user quando come dove chi che perché ma anche inoltre mi ci""",
    verb_endings="mente",
    macros={"adv": ADV},
    sayings=r"""
        works_at {a} {adv}(?:lavora|lavorava|lavorano) {adv}(?:come \w+ )?(?:in|alla|al|presso|all'|da|a) ?{b}
        works_at {a} ha (?:lavorato|iniziato) (?:in|alla|al|presso|da) {b}
        works_for {a} {adv}(?:lavora|lavorava|lavorano) {adv}per (?:la |il )?{b}
        works_with {a} {adv}(?:lavora|lavorava|lavorano) {adv}con {b}
        knows {a} {adv}(?:conosce|conosceva|conoscono) {adv}{b}
        met {a} (?:ha|hanno) (?:incontrato|conosciuto) {b}
        lives_in {a} {adv}(?:vive|viveva|abita|abitava|vivono|abitano) {adv}(?:a|in|vicino a) {b}
        lives_in {a} (?:si è trasferit[oa]|si trasferisce|si trasferì) {adv}(?:a|in) {b}
        comes_from {a} (?:viene|veniva|è originaria|è originario) (?:da|di|dalla) {b}
        born_in {a} (?:è nat[oa]|nacque) (?:a|in) {b}
        studies_at {a} {adv}(?:studia|studiava|insegna|insegnava) (?:[\w ]{1,30} )?(?:a|alla|al|all') ?{b}
        married_to {a} è {adv}sposat[oa] con {b}
        married_to {a} (?:ha sposato|sposa|si è sposat[oa] con) {b}
        married_to {a} e {b} (?:sono sposati|si sono sposati)
        founded {a} (?:ha fondato|fondò) {b}
        created {a} (?:ha creato|creò|ha inventato|ha progettato) {b}
        wrote {a} (?:ha scritto|scrisse|ha composto|ha diretto) {b}
        visited {a} (?:ha visitato|visita|visitò) {b}
        located_in {a} (?:è|si trova|sta) (?:a|in) {b}
        uses {a} {adv}(?:usa|utilizza) {b}
        owns {a} (?:ha comprato|possiede|si è comprat[oa]) (?:una |un |il |la )?(?:nuovo |nuova )?{b}
        leads {a} {adv}(?:dirige|guida) {b}
        {kin}_of {a} è (?:la |il |l'|una? )?(?:\w+ )?{kin} di {b}
        {kin}_of {a}, (?:la |il |l')?{kin} di {b}
        {kin}_of (?:la |il |l'){kin} di {b} (?:si chiama|è) {a}
        {kin}_of {a} e {b} sono {kin}\b
        {role}_of {a} è (?:la |il |l'|una? ){role} (?:di |della |del ){b}
        """,
)

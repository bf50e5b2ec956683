"""Names in French."""
# ruff: noqa: E501 - a template is one line

from .table import name_words

ADV = r"(?:(?:aussi|maintenant|toujours|encore|souvent|déjà|depuis \w+|actuellement|bien) )?"
WORDS = name_words(
    titles="m mme mlle monsieur madame mademoiselle dr docteur professeur prof maître tante oncle tonton mamie papi",
    kin="""soeur soeurs=sister, frère frères=brother, mère maman=mother, père papa=father, fils=son, fille filles=daughter,
        femme épouse=wife, mari époux=husband, compagne compagnon=partner, fiancée fiancé=fiance, ami amie amis=friend,
        cousin cousine=cousin, tante=aunt, oncle=uncle, nièce=niece, neveu=nephew, grand-mère mamie=grandmother,
        grand-père papi=grandfather, voisin voisine=neighbour, collègue collègues=colleague, patron patronne chef=boss,
        professeur=teacher, colocataire=roommate, chien chienne=dog, chat chatte=cat, copain=boyfriend, copine=girlfriend""",
    person_verbs="""pense travaille travaillait habite habitait vit aime adore veut voulait connaît joue
        étudie enseigne écrit demande raconte fonde s'appelle parle déménage arrive préfère""",
    before_person="avec, appelle, rencontré, connais, connaît, cher, chère, bonjour, salut, nommé, nommée, appelé, appelée, par, marié, épousé",
    before_place="à, en, vers, habite à, vit à, aller à, vais à, déménagé à, né à, née à, près de, jusqu'à, visité, via, dans",
    before_organisation="travaille chez, travaille à, travaille pour, chez, entreprise, société, groupe, association, club, étudie à, embauché par, embauchée par, boîte",
    before_product="mon nouveau, ma nouvelle, un nouveau, une nouvelle, acheté un, acheté une, utilise, installé, joue à",
    organisation_words="sa sarl sas université école lycée banque institut ministère hôpital musée fondation association société groupe club orchestre académie théâtre collège boulangerie",
    place_words="rue avenue boulevard place lac mont île aéroport gare parc plage pont forêt vallée château quartier tour cathédrale",
    joiners="de la, de l', du, des, de, d', le, la, &",
    articles="le la les un une des mon ma mes ton ta tes son sa ses notre nos votre vos leur leurs ce cet cette ces du au aux",
    not_names="""lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril mai juin juillet août
        septembre octobre novembre décembre noël pâques printemps été automne hiver bonjour bonsoir salut merci oui non
        je j'ai c'est hier demain aujourd'hui cher chère maman papa mamie papi dieu ok tv pc usb pdf ia français anglais allemand
        espagnol italien monsieur madame m mme dr utilisateur assistant user quand comment pourquoi où qui que quoi
        voici voilà donc alors mais""",
    verb_endings="ment",
    macros={"adv": ADV},
    sayings=r"""
        works_at {a} {adv}(?:travaille|travaillait|travaillent|bosse) {adv}(?:comme \w+ )?(?:chez|à|a|au|à l') (?:la |l')?{b}
        works_at {a} {adv}(?:a|avait) (?:travaillé|rejoint|commencé) (?:chez |à )?{b}
        works_for {a} {adv}(?:travaille|travaillait|travaillent) {adv}pour {b}
        works_with {a} {adv}(?:travaille|travaillait|travaillent) {adv}avec {b}
        knows {a} {adv}(?:connaît|connaissait|connaissent) {adv}{b}
        met {a} (?:a|avait|ont) rencontré {b}
        lives_in {a} {adv}(?:habite|habitait|vit|vivait|habitent|vivent) {adv}(?:à|a|en|au|dans|près de) {b}
        lives_in {a} (?:a déménagé|déménage|s'est installée?|s'installe) {adv}(?:à|a|en|au) {b}
        comes_from {a} (?:vient|est originaire|venait) (?:de|d'|du) ?{b}
        born_in {a} (?:est née?|naquit) (?:à|a|en|au) {b}
        studies_at {a} {adv}(?:étudie|étudiait|enseigne|enseignait) (?:[\w ]{1,30} )?(?:à|a|à l'|au) ?(?:la |l')?{b}
        married_to {a} est {adv}mariée? (?:à|a|avec) {b}
        married_to {a} (?:a épousé|épouse|s'est mariée? avec) {b}
        married_to {a} et {b} (?:sont|se sont|étaient) mariée?s
        founded {a} (?:a fondé|fonda|a créé) (?:l'entreprise |la société )?{b}
        created {a} (?:a créé|créa|a inventé|a conçu) {b}
        wrote {a} (?:a écrit|écrit|écrivit|a composé|a réalisé) {b}
        visited {a} (?:a visité|visite|visita) {b}
        located_in {a} (?:est|se trouve|se situe) (?:situé )?(?:à|a|en|au) {b}
        uses {a} {adv}utilise {b}
        owns {a} (?:a acheté|possède|achète) (?:un |une |le |la )?(?:nouveau |nouvelle )?{b}
        leads {a} {adv}(?:dirige|dirigeait) {b}
        {kin}_of {a} est (?:la |le |l'|une? )?(?:\w+ )?{kin} (?:de |d'){b}
        {kin}_of {a}, (?:la |le |l')?{kin} (?:de |d'){b}
        {kin}_of (?:la |le |l'){kin} (?:de |d'){b} (?:s'appelle|est) {a}
        {kin}_of {a} et {b} sont {kin}\b
        {role}_of {a} est (?:la |le |l'|une? ){role} (?:de |d'|chez |du ){b}
        """,
)

"""Everyday facts and questions in ten languages, of five kinds, and what answers what.

Written before anything was measured, as people write; each language is a memory of its own.
"""

from __future__ import annotations

KINDS = ("who", "when", "where", "change", "preference")

# For each language what was said, in this order; the last two facts are beside the point.
SAID: dict[str, tuple[str, ...]] = {
    "en": (
        "My neighbour Mrs Okafor waters my plants while I am away.",
        "The dentist appointment is on 14 March at nine.",
        "I keep the spare key under the blue flower pot.",
        "I work as a nurse at St Mary's.",
        "I left the hospital; since May I have been teaching first aid.",
        "I can't stand coriander, but I love basil.",
        "The bus was late again this morning.",
        "We repainted the kitchen in yellow.",
    ),
    "de": (
        "Meine Nachbarin Frau Özdemir gießt meine Pflanzen, wenn ich weg bin.",
        "Der Zahnarzttermin ist am 14. März um neun.",
        "Der Ersatzschlüssel liegt unter dem blauen Blumentopf.",
        "Ich arbeite als Krankenpfleger im Marienhospital.",
        "Ich habe im Krankenhaus gekündigt und unterrichte seit Mai Erste Hilfe.",
        "Koriander mag ich nicht, Basilikum liebe ich.",
        "Der Bus war heute früh schon wieder zu spät.",
        "Wir haben die Küche gelb gestrichen.",
    ),
    "fr": (
        "Ma voisine Madame Lefèvre arrose mes plantes quand je suis absent.",
        "Le rendez-vous chez le dentiste est le 14 mars à neuf heures.",
        "Le double des clés est sous le pot de fleurs bleu.",
        "Je travaille comme infirmier à l'hôpital Sainte-Marie.",
        "J'ai quitté l'hôpital ; depuis mai j'enseigne les premiers secours.",
        "Je déteste la coriandre, mais j'adore le basilic.",
        "Le bus était encore en retard ce matin.",
        "Nous avons repeint la cuisine en jaune.",
    ),
    "es": (
        "Mi vecina, la señora Robles, riega mis plantas cuando estoy fuera.",
        "La cita con el dentista es el 14 de marzo a las nueve.",
        "La llave de repuesto está debajo de la maceta azul.",
        "Trabajo como enfermero en el hospital de Santa María.",
        "Dejé el hospital; desde mayo enseño primeros auxilios.",
        "No soporto el cilantro, pero me encanta la albahaca.",
        "El autobús llegó tarde otra vez esta mañana.",
        "Hemos pintado la cocina de amarillo.",
    ),
    "it": (
        "La mia vicina, la signora Bassi, annaffia le mie piante quando sono via.",
        "L'appuntamento dal dentista è il 14 marzo alle nove.",
        "La chiave di riserva è sotto il vaso blu.",
        "Lavoro come infermiere all'ospedale Santa Maria.",
        "Ho lasciato l'ospedale; da maggio insegno primo soccorso.",
        "Non sopporto il coriandolo, ma adoro il basilico.",
        "Stamattina l'autobus era di nuovo in ritardo.",
        "Abbiamo ridipinto la cucina di giallo.",
    ),
    "pt": (
        "A minha vizinha, a dona Celeste, rega as minhas plantas quando estou fora.",
        "A consulta no dentista é no dia 14 de março às nove.",
        "A chave reserva fica debaixo do vaso azul.",
        "Trabalho como enfermeiro no hospital Santa Maria.",
        "Saí do hospital; desde maio ensino primeiros socorros.",
        "Não suporto coentro, mas adoro manjericão.",
        "O ônibus atrasou outra vez hoje de manhã.",
        "Pintamos a cozinha de amarelo.",
    ),
    "ru": (
        "Моя соседка Галина Петровна поливает мои цветы, когда я в отъезде.",
        "Приём у стоматолога 14 марта в девять.",
        "Запасной ключ лежит под синим цветочным горшком.",
        "Я работаю медбратом в больнице Святой Марии.",
        "Я ушёл из больницы и с мая преподаю первую помощь.",
        "Терпеть не могу кинзу, а базилик обожаю.",
        "Автобус сегодня утром опять опоздал.",
        "Мы перекрасили кухню в жёлтый цвет.",
    ),
    "zh": (
        "我不在家的时候，邻居王阿姨帮我浇花。",
        "看牙医的时间是3月14日上午九点。",
        "备用钥匙放在蓝色花盆下面。",
        "我在圣玛丽医院当护士。",
        "我离开了医院，从五月起教急救课。",
        "我不吃香菜，但是很喜欢罗勒。",
        "今天早上公交车又晚点了。",
        "我们把厨房刷成了黄色。",
    ),
    "ja": (
        "留守の間は隣の佐藤さんが植物に水をやってくれます。",
        "歯医者の予約は3月14日の9時です。",
        "合鍵は青い植木鉢の下に置いてあります。",
        "聖マリア病院で看護師として働いています。",
        "病院を辞めて、5月から応急手当を教えています。",
        "パクチーは苦手ですが、バジルは大好きです。",
        "今朝もバスが遅れました。",
        "台所を黄色に塗り替えました。",
    ),
    "ar": (
        "جارتي أم خالد تسقي نباتاتي عندما أكون مسافرا.",
        "موعد طبيب الأسنان يوم 14 مارس في الساعة التاسعة.",
        "المفتاح الاحتياطي تحت أصيص الزهور الأزرق.",
        "أعمل ممرضا في مستشفى القديسة مريم.",
        "تركت المستشفى ومنذ مايو أدرّس الإسعافات الأولية.",
        "لا أحب الكزبرة لكنني أعشق الريحان.",
        "تأخر الباص مرة أخرى هذا الصباح.",
        "طلينا المطبخ باللون الأصفر.",
    ),
}

ASKED: dict[str, tuple[str, str, str, str, str]] = {
    "en": (
        "Who waters the plants when I travel?",
        "When do I have to go to the dentist?",
        "Where is the spare key?",
        "Do I still work at the hospital?",
        "Which herb do I hate, coriander or basil?",
    ),
    "de": (
        "Wer gießt die Pflanzen, wenn ich verreist bin?",
        "Wann muss ich zum Zahnarzt?",
        "Wo ist der Schlüssel?",
        "Arbeite ich noch im Krankenhaus?",
        "Welches Kraut mag ich nicht, Koriander oder Basilikum?",
    ),
    "fr": (
        "Qui arrose les plantes quand je voyage ?",
        "Quand dois-je aller chez le dentiste ?",
        "Où sont les clés de secours ?",
        "Est-ce que je travaille toujours à l'hôpital ?",
        "Quelle herbe est-ce que je déteste, la coriandre ou le basilic ?",
    ),
    "es": (
        "¿Quién riega las plantas cuando viajo?",
        "¿Cuándo tengo que ir al dentista?",
        "¿Dónde está la llave de repuesto?",
        "¿Todavía trabajo en el hospital?",
        "¿Qué hierba no soporto, el cilantro o la albahaca?",
    ),
    "it": (
        "Chi annaffia le piante quando viaggio?",
        "Quando devo andare dal dentista?",
        "Dov'è la chiave di riserva?",
        "Lavoro ancora all'ospedale?",
        "Quale erba non sopporto, il coriandolo o il basilico?",
    ),
    "pt": (
        "Quem rega as plantas quando viajo?",
        "Quando tenho de ir ao dentista?",
        "Onde está a chave reserva?",
        "Ainda trabalho no hospital?",
        "Que erva não suporto, o coentro ou o manjericão?",
    ),
    "ru": (
        "Кто поливает цветы, когда я уезжаю?",
        "Когда мне к стоматологу?",
        "Где лежит запасной ключ?",
        "Я всё ещё работаю в больнице?",
        "Какую зелень я терпеть не могу, кинзу или базилик?",
    ),
    "zh": (
        "我出门的时候谁帮忙浇花？",
        "什么时候去看牙医？",
        "备用钥匙在哪里？",
        "我还在医院工作吗？",
        "香菜和罗勒，我不吃哪个？",
    ),
    "ja": (
        "旅行中、植物に水をやるのは誰ですか？",
        "歯医者はいつですか？",
        "合鍵はどこにありますか？",
        "まだ病院で働いていますか？",
        "苦手なのはパクチーですか、バジルですか？",
    ),
    "ar": (
        "من يسقي النباتات عندما أسافر؟",
        "متى موعد طبيب الأسنان؟",
        "أين المفتاح الاحتياطي؟",
        "هل ما زلت أعمل في المستشفى؟",
        "ما الذي لا أحبه، الكزبرة أم الريحان؟",
    ),
}

ANSWERS: tuple[frozenset[int], ...] = (
    frozenset({0}),
    frozenset({1}),
    frozenset({2}),
    frozenset({3, 4}),  # What was, and what has changed: both, in any order.
    frozenset({5}),
)

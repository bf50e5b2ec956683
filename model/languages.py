"""Measures what a model does for texts of other languages: how many words it knows, and what it finds.

The same eight questions and eight memories in each language, written for this purpose. They share few words
on purpose, so words alone find little.
"""

import argparse
from pathlib import Path

import numpy as np

from zerda.memory.embedding.static import ENGLISH, StaticEmbedder

QUESTIONS_AND_MEMORIES = {
    "English": [
        ("Which pets do I have?", "We adopted a little dog from the shelter."),
        ("What is my job?", "I have been teaching maths at a school for ten years."),
        ("Where did I go on holiday?", "In summer we flew to Greece and swam every day."),
        ("What do I like to eat?", "My favourite dish is lasagne with a lot of cheese."),
        ("How is my health?", "The doctor says that my knee has to be operated on."),
        ("Which sport do I do?", "I run ten kilometres through the forest every Sunday."),
        ("Who is in my family?", "My sister had her second child yesterday."),
        ("What music do I listen to?", "I bought tickets for a jazz concert."),
    ],
    "German": [
        ("Welche Haustiere habe ich?", "Wir haben einen kleinen Hund aus dem Tierheim geholt."),
        ("Was ist mein Beruf?", "Ich unterrichte seit zehn Jahren Mathematik an einer Schule."),
        (
            "Wohin bin ich in den Urlaub gefahren?",
            "Im Sommer flogen wir nach Griechenland und badeten täglich.",
        ),
        ("Was esse ich gern?", "Mein Lieblingsgericht ist Lasagne mit viel Käse."),
        ("Wie steht es um meine Gesundheit?", "Der Arzt sagt, dass mein Knie operiert werden muss."),
        ("Welchen Sport treibe ich?", "Jeden Sonntag laufe ich zehn Kilometer durch den Wald."),
        ("Wer gehört zu meiner Familie?", "Meine Schwester hat gestern ihr zweites Kind bekommen."),
        ("Welche Musik höre ich?", "Ich habe Karten für ein Jazzkonzert gekauft."),
    ],
    "French": [
        ("Quels animaux ai-je ?", "Nous avons adopté un petit chien au refuge."),
        ("Quel est mon métier ?", "J'enseigne les mathématiques dans une école depuis dix ans."),
        (
            "Où suis-je allé en vacances ?",
            "Cet été nous avons pris l'avion pour la Grèce et nagé chaque jour.",
        ),
        ("Qu'est-ce que j'aime manger ?", "Mon plat préféré est la lasagne avec beaucoup de fromage."),
        ("Comment va ma santé ?", "Le médecin dit que mon genou doit être opéré."),
        ("Quel sport est-ce que je pratique ?", "Chaque dimanche je cours dix kilomètres dans la forêt."),
        ("Qui fait partie de ma famille ?", "Ma sœur a eu son deuxième enfant hier."),
        ("Quelle musique est-ce que j'écoute ?", "J'ai acheté des billets pour un concert de jazz."),
    ],
    "Spanish": [
        ("¿Qué mascotas tengo?", "Adoptamos un perrito del refugio."),
        ("¿Cuál es mi trabajo?", "Llevo diez años enseñando matemáticas en una escuela."),
        ("¿Adónde fui de vacaciones?", "En verano volamos a Grecia y nadamos todos los días."),
        ("¿Qué me gusta comer?", "Mi plato favorito es la lasaña con mucho queso."),
        ("¿Cómo está mi salud?", "El médico dice que hay que operarme la rodilla."),
        ("¿Qué deporte hago?", "Cada domingo corro diez kilómetros por el bosque."),
        ("¿Quién es de mi familia?", "Mi hermana tuvo ayer su segundo hijo."),
        ("¿Qué música escucho?", "Compré entradas para un concierto de jazz."),
    ],
    "Portuguese": [
        ("Que animais de estimação tenho?", "Adotámos um cãozinho do abrigo."),
        ("Qual é a minha profissão?", "Ensino matemática numa escola há dez anos."),
        ("Onde passei as férias?", "No verão voámos para a Grécia e nadámos todos os dias."),
        ("O que gosto de comer?", "O meu prato favorito é lasanha com muito queijo."),
        ("Como está a minha saúde?", "O médico diz que o meu joelho tem de ser operado."),
        ("Que desporto pratico?", "Todos os domingos corro dez quilómetros pela floresta."),
        ("Quem faz parte da minha família?", "A minha irmã teve ontem o segundo filho."),
        ("Que música oiço?", "Comprei bilhetes para um concerto de jazz."),
    ],
    "Russian": [
        ("Какие у меня питомцы?", "Мы взяли маленькую собаку из приюта."),
        ("Кем я работаю?", "Я десять лет преподаю математику в школе."),
        ("Куда я ездил в отпуск?", "Летом мы летали в Грецию и купались каждый день."),
        ("Что я люблю есть?", "Моё любимое блюдо — лазанья с сыром."),
        ("Как моё здоровье?", "Врач говорит, что колено нужно оперировать."),
        ("Каким спортом я занимаюсь?", "Каждое воскресенье я бегаю десять километров по лесу."),
        ("Кто в моей семье?", "Вчера сестра родила второго ребёнка."),
        ("Какую музыку я слушаю?", "Я купил билеты на джазовый концерт."),
    ],
    "Japanese": [
        ("どんなペットを飼っていますか", "保護施設から小さな犬を引き取りました"),
        ("私の仕事は何ですか", "十年間学校で数学を教えています"),
        ("休暇はどこへ行きましたか", "夏にギリシャへ飛んで毎日泳ぎました"),
        ("何を食べるのが好きですか", "一番好きな料理はチーズたっぷりのラザニアです"),
        ("健康状態はどうですか", "医者は膝の手術が必要だと言っています"),
        ("どんなスポーツをしていますか", "毎週日曜日に森を十キロ走ります"),
        ("家族は誰ですか", "昨日妹に二人目の子供が生まれました"),
        ("どんな音楽を聴きますか", "ジャズのコンサートの切符を買いました"),
    ],
}


def measure(embedder: StaticEmbedder, language: str) -> tuple[float, int, float]:
    """Share of known words, how many of the eight memories come first, and their mean reciprocal rank.

    By chance that is 0.34; it is 0.22 where nothing is known and all is equal.
    """
    questions, memories = zip(*QUESTIONS_AND_MEMORIES[language], strict=True)
    near = embedder.embed(questions) @ embedder.embed(memories).T
    own = np.diag(near)[:, None]
    # A tie is shared: among k equals the right one stands in their middle.
    ranks = (near > own).sum(axis=1) + ((near == own).sum(axis=1) + 1) / 2
    coverage = np.mean([embedder.coverage(text) for text in (*questions, *memories)])
    return float(coverage), int((ranks == 1).sum()), float((1 / ranks).mean())


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m model.languages", description=__doc__)
    parser.add_argument("--model", type=Path, default=ENGLISH)
    embedder = StaticEmbedder(parser.parse_args().model)
    for language in QUESTIONS_AND_MEMORIES:
        coverage, first, reciprocal = measure(embedder, language)
        print(f"{language:12} coverage {coverage:.2f}   first {first} of 8   MRR {reciprocal:.2f}")


if __name__ == "__main__":
    main()

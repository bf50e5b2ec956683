"""Names that anybody knows: they tell a person or a place where nothing beside them does.

Short on purpose. What a text says of a name ("my sister", "works at") tells more than any list.
"""

from .table import phrases

GIVEN = phrases("""
adam ahmed aisha alan alba alberto alejandro alessandro alex alexander alexandra ali alice alina amanda
amelia amy ana andrea andrei andrew angela anita anja anna anne annette anthony antoine antonio arthur
aurélie barbara beatriz ben benjamin bernd betty bianca bob brian bruno camille carla carlos carmen carol
caroline catherine cecilia charles charlotte chiara chloe chris christian christina christine christopher
clara claire claudia clément cristina dana daniel daniela david deborah denis diana diego dieter dmitri
dmitry dorothy edward elena eleanor elisa elisabeth elizabeth ella ellen emil emily emma enrico eric erik
ernesto eva evan fatima felipe felix fernando fiona florian francesca francesco francisco françois frank
franziska frida friedrich gabriel gabriela george gerhard gianni giorgio giovanni giulia giuseppe gloria
grace greta guido guillaume gustavo hans hannah harry heike heinrich heinz helen helena helga henri henry
hugo ian ibrahim igor ines ingrid irene irina isabel isabella ivan jack jacob jacques jakob james jan
jane janet jason javier jean jennifer jenny jessica joan joana joão johann john jonas jonathan jorge josé
joseph josh juan judith julia julian julie julien jürgen karen karl karin kate katharina katherine
kathrin katja katrin keith ken kevin klaus kristina kurt lara laura lea leila lena leo leon leonardo lisa
lorenzo louis louise luca lucas lucia lucy luigi luis luisa lukas lydia manuel marc marcel marco marcus
margaret maria mariana marie marina mario mark markus marta martha martin martina mary mateo matthew
matthias max maximilian maya megan melanie mia michael michel michelle miguel mike mohammed monica monika
nadia nancy natalia natalie natasha nathan nicholas nick nicola nicolas nicole nina noah nora olga oliver
olivia omar oscar otto pablo paola patricia patrick paul paula paulo pedro peter philip philipp pierre
pietro rachel rafael ralf ralph raphael raquel rebecca renate ricardo richard rita robert roberto roger
rosa ruth ryan sabine sally salvatore sam samantha samuel sandra sara sarah sebastian sergei sergio
silvia simon simone sofia sophia sophie stefan stefanie stella stephanie stephen steven susan susanne
sven svetlana sylvie tanja tatiana teresa thomas tiago tim tina tobias tom tony ulrich ursula valentina
valeria vera veronica victor victoria viktor vincent virginia vladimir walter werner william wolfgang
yasmin yuri yusuf zoe анна мария елена ольга наташа наталья татьяна ирина светлана екатерина катя юлия
саша александр алексей андрей антон борис виктор владимир денис дмитрий дима евгений иван игорь кирилл
константин максим михаил миша николай олег павел пётр роман сергей юрий ксения дарья даша вера надежда
любовь маша лена оля аня таня ира света юля
""")

PLACES = phrases("""
africa, america, asia, europe, australia, austria, belgium, brazil, canada, chile, china, colombia,
croatia, cuba, denmark, egypt, england, finland, france, germany, greece, hungary, iceland, india,
indonesia, iran, iraq, ireland, israel, italy, japan, kenya, mexico, morocco, netherlands, new zealand,
nigeria, norway, pakistan, peru, poland, portugal, romania, russia, scotland, serbia, singapore, south
africa, south korea, spain, sweden, switzerland, thailand, turkey, ukraine, usa, us, uk, united kingdom,
united states, vietnam, wales, amsterdam, athens, bangkok, barcelona, beijing, berlin, bologna, bordeaux,
boston, brussels, budapest, buenos aires, cairo, california, chicago, cologne, copenhagen, delhi,
dresden, dublin, edinburgh, florence, florida, frankfurt, geneva, genoa, hamburg, helsinki, hong kong,
istanbul, jakarta, jerusalem, kyiv, kyoto, leipzig, lima, lisbon, liverpool, london, los angeles, lyon,
madrid, manchester, manhattan, marseille, melbourne, mexico city, miami, milan, montreal, moscow, mumbai,
munich, naples, new york, nice, oslo, osaka, oxford, cambridge, paris, porto, prague, quebec, rio de
janeiro, rome, rotterdam, saint petersburg, san francisco, são paulo, seattle, seoul, seville, shanghai,
sicily, stockholm, stuttgart, sydney, texas, tokyo, toronto, toulouse, turin, valencia, vancouver,
venice, vienna, warsaw, washington, zurich, deutschland, österreich, schweiz, frankreich, italien,
spanien, polen, england, griechenland, türkei, schweden, norwegen, dänemark, russland, amerika, europa,
münchen, köln, düsseldorf, wien, zürich, genf, rom, mailand, venedig, lissabon, prag, warschau, moskau,
nürnberg, bremen, hannover, freiburg, basel, bern, salzburg, bayern, france, allemagne, espagne, italie,
suisse, belgique, angleterre, portugal, londres, genève, bruxelles, barcelone, lisbonne, milan, venise,
vienne, moscou, nantes, lille, strasbourg, montréal, québec, bretagne, normandie, españa, alemania,
francia, italia, inglaterra, portugal, suiza, argentina, méxico, perú, colombia, chile, sevilla, bilbao,
granada, málaga, zaragoza, lisboa, roma, milán, parís, berlín, bogotá, quito, la habana, germania,
spagna, svizzera, inghilterra, portogallo, milano, torino, napoli, firenze, venezia, genova, palermo,
bologna, verona, parigi, londra, berlino, lisbona, madrid, monaco, sicilia, toscana, alemanha, frança,
espanha, itália, inglaterra, brasil, coimbra, braga, faro, brasília, salvador, recife, curitiba, paris,
londres, россия, москва, санкт-петербург, петербург, казань, новосибирск, сочи, киев, минск, украина,
германия, франция, италия, испания, лондон, париж, берлин, рим, америка, европа, сибирь
""")

PLACES_UNSPACED = frozenset(
    """
    東京 大阪 京都 横浜 名古屋 札幌 福岡 神戸 奈良 広島 仙台 沖縄 北海道 日本 中国 韓国 台湾 アメリカ
    イギリス フランス ドイツ イタリア スペイン パリ ロンドン ベルリン ローマ ニューヨーク ソウル リスボン 北京
    上海 广州 深圳 杭州 南京 成都 重庆 武汉 西安 天津 苏州 香港 台北 台湾 日本 韩国 美国 英国 法国 德国
    意大利 西班牙 巴黎 伦敦 柏林 纽约 东京 中国 서울 부산 대구 인천 광주 대전 제주도 제주 한국 일본 중국
    미국 영국 프랑스 독일 파리 런던 베를린 뉴욕 도쿄
    """.split()
)

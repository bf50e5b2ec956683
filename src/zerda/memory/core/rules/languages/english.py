"""English."""

from .table import FirstPerson, language

# "don't" comes as "don" and "t", and from hasty typists as "dont". "won" and "ill" are words of their own,
# so they stay in.
OTHERS = """
a an the am is are was were be been being isn aren wasn weren ain isnt arent wasnt werent aint have has
had having haven hasn hadn havent hasnt hadnt do does did doing done don doesn didn dont doesnt didnt
will would shall should can could may might must ought wouldn shouldn couldn mightn mustn needn shan
wouldnt shouldnt couldnt mightnt mustnt neednt shant wont cannot cant gonna wanna gotta s t d m o re ve
ll y im ive id youre youve youll youd hes shes theyre theyve theyll theyd weve thats theres whats wheres
whos hows lets and or but nor so yet if then else than because as while though although unless until till
since whether of at by for with about against between into through during before after above below to
from up down in out on off over under again further onto upon toward towards within without across along
among around behind beside besides beyond near per via not no only own same too very just also even still
already ever never always often really quite rather almost perhaps maybe however therefore thus hence
well now here there everywhere somewhere anywhere all any both each few more most other others another
some such many much several either neither every less least lot lots bit kind sort let say says said tell
tells told know knows knew like get gets got getting go goes going went gone make makes made come comes
came take takes took give gives gave put ok okay oh hey hi hello wow yeah yes yep nope please thanks
thank sure thing things something anything nothing everything back once instead mention mentioned
mentions describe described talk talked talking able etc ago
"""

LANGUAGE = language(
    "en",
    "English",
    snowball="english",
    scripts="Latin",
    questions="who whom whose what which when where why how",
    pronouns="""i me my mine myself we us our ours ourselves you your yours yourself yourselves ya he him
        his himself she her hers herself it its itself they them their theirs themselves this that these
        those one ones someone somebody anyone anybody everyone everybody nobody none""",
    others=OTHERS,
    when_phrases=(
        r"when(?:['’]s| (?:did|do|does|is|are|was|were|will|would|ha[sd]|have|can|could|should|may|might)\b)",
        r"(?:since|until|till|from|by) when\b",
        r"when\s*\?",
        r"^\W*(?:and |so |but |ok |okay )*when\b(?!.*\b(?:who|what|where|why|how|which)\b)",
        r"(?:tell me|know|remember|recall|remind me|say|said|sure|asked) when\b",
        r"(?:what|which) (?:\w+ )?(?:dates?|days?|weeks?|weekends?|weekday|months?|years?|season|decade)\b",
        r"what time\b",
        r"how (?:long|soon|recently|recent|early|late)\b",
        r"how many (?:\w+ )?(?:days|weeks|weekends|months|years|hours|minutes|nights)\b",
        r"how much time\b",
        r"(?:the|a) (?:date|dates) (?:of|when|that|on|for)\b",
    ),
    first_person=FirstPerson("I", "my", suffixes=("'s", "’s", "'", "’"), glued=("s",)),
)

/**
 * The passwords that attackers try first (ASVS 6.2.4, 6.2.11, 6.2.12): the 10,000 most likely ones with characters of
 * all four classes. A password is compared as a whole, so a longer phrase may contain one of these words.
 *
 * Lists of leaked passwords contain hardly any with all four classes, but they show how people build one when a form
 * asks for it: a common word with a capital in front, digits and a symbol at the end, or `@` for a, `0` for o, `$` for
 * s, `!` for i. This list is built the same way: the top words of the published lists (SecLists' `10k-most-common.txt`,
 * MIT licence, the usual keyboard walks, days, months and seasons) and this product's own, times the endings, the
 * commonest pairs first.
 */

/** Words, commonest first, after the product's own. */
const WORDS = `
fairball bitcoin lottery jackpot satoshi lotto casino winner crypto treasure
password p@ssw0rd p@ssword passw0rd pa$$word qwerty welcome admin abcd letmein dragon baseball football monkey mustang master shadow michael jennifer jordan
superman harley hunter ranger buster thomas tigger robert soccer batman test pass killer hockey george charlie andrew
michelle love sunshine jessica pepper daniel access joshua maggie starwars silver william dallas yankees ashley hello
amanda orange freedom computer thunder nicole ginger heather hammer summer winter spring autumn corvette taylor austin
merlin matthew golfer cheese princess martin chelsea patrick richard diamond yellow secret asdfgh asdf zxcv zxcvbnm
sparky cowboy camaro anthony matrix falcon iloveyou bailey guitar jackson purple scooter phoenix morgan tigers porsche
mickey maverick cookie nascar peanut justin money samantha steelers joseph snoopy boomer whatever iceman smokey gateway
dakota cowboys eagles chicken black please andrea ferrari knight melissa coffee johnny bulldog james player wizard
scooby charles junior internet mike brandy tennis banana monster spider lakers miller rabbit enter mercedes brandon
steven fender john yamaha diablo chris boston tiger marine chicago rangers gandalf barney edward raiders badboy johnson
chester london midnight blue fishing hannah rachel redsox panther arsenal oliver qazwsx mother victoria jasper angel
david crystal golden viking jack shannon murphy angels prince cameron madison wilson carlos startrek captain jasmine
butter angela golf lauren rocket tiffany dennis flower forever green jackie muffin turtle sophie danielle toyota jason
sierra winston debbie giants packers newyork jeremy casper bubba sandra mountain united cooper driver tucker pookie
lucky maxwell bear gators jaguar monica fred happy gemini lover canada nathan victor florida nicholas rosebud doctor
success tomcat warrior peaches apples magic buddy dolphin rainbow gunner freddy alexis braves cocacola xavier testing
member calvin samson alex apollo fire tester walter voyager peter bonnie apple scorpio jonathan sydney scott power
gordon travis star legend yankee blazer runner parker topgun heaven viper animal arthur baby private godzilla donald
changeme company office server user login root guest temp default support service system security network manager
january february march april june july august september october november december monday tuesday wednesday thursday
friday saturday sunday india china google facebook samsung liverpool barcelona pakistan krishna
`

/** Usual endings, commonest first: each has a digit and a symbol. */
const ENDINGS = `
1! 123! @123 1@ #1 !1 @1 123# 123@ 12! 1234! @1234 12345! @12345 #123 !123 1# 1$ 01! 2024! 2025! 2026! @2024 @2025 @2026
$1 $123 1. 123. .1 -1 _1 123$ 11! 99! 2023! 2022! 2021! 2020! @2023 @2022 @2021 @2020 #2024 #2025 #2026 1!! 12# 12@ @12
!12 #12 1234@ 1234# #1234 !1234 12345@ 12345# 123456! @123456 321! @321 007! 00! 10! 111! @11 @01 @10 77! @7 7! 2! 3! 5!
`

/** Usual replacements for letters. */
const LOOKALIKES: readonly (readonly [RegExp, string])[] = [
  [/a/g, '@'],
  [/o/g, '0'],
  [/s/g, '$'],
  [/i/g, '!'],
  [/e/g, '3'],
]

/** Common passwords outside this pattern. */
const OTHERS = `
P@ssw0rd P@$$w0rd Pa$$w0rd P@55w0rd P@ssw0rd! p@ssW0rd P4$$word Passw0rd! Passw0rd@ Adm1n@123 Adm!n123 W3lcome! Welc0me!
1qaz!QAZ 1qaz@WSX !QAZ2wsx 1qaz2wsx!QAZ Zaq1@wsx ZAQ!2wsx Zaq12wsx! Q1w2e3r4! Q1w2e3r4t5! 1q2w3e4R! 1q2w3e4r!Q Qwer1234!
Qwer!234 Qwert123! Asdf1234! Asdf!234 Zxcv1234! Abc123!@# Abcd123! Abc@1234 Aa123456! Aa123456@ Aa@123456 Aa12345!
A1b2c3d4! Aa1!aa1! !Q2w3e4r !Qaz2wsx Iloveyou1! I<3you123 Trustno1! Letmein1! Qwerty!@#123 123Qwe!@#
123qweASD! 1Password! 123Password! 1234Abcd! !Password1 @Password1 #Password1 1Qwerty! Password1!@ Test!234 Test@test1
`

/** Length of the list. */
const LISTED = 10_000
const SHORTEST = 8

/** Error text for a password that is easy to guess. */
export const EASY_TO_GUESS_TEXT = 'This password is easy to guess. Please choose another one.'

/** The owner of a password, as far as known. */
export interface PasswordOwner {
  email: string | null
  username?: string
}

/** Whether a password is on the list, or is the player's own address or name with a usual ending. */
export function isEasyToGuess(password: string, owner: PasswordOwner): boolean {
  return isCommonPassword(password) || isOwnName(password, namesOf(owner))
}

let listed: ReadonlySet<string> | null = null

/** The whole list, as typed. It is built on first use. */
export function commonPasswords(): ReadonlySet<string> {
  listed ??= new Set(list())
  return listed
}

/** Whether a whole password, as typed, is on the list. */
export function isCommonPassword(password: string): boolean {
  return commonPasswords().has(password)
}

function namesOf({ email, username }: PasswordOwner): string[] {
  const names = email === null ? [] : [email, email.slice(0, email.indexOf('@'))]
  return username === undefined ? names : [...names, username]
}

/** Whether a whole password is one of these names with a usual ending. Case does not count. */
function isOwnName(password: string, names: readonly string[]): boolean {
  const typed = password.toLowerCase()
  return names.some((one) => {
    const name = one.toLowerCase()
    return name !== '' && typed.startsWith(name) && (typed === name || isEnding(typed.slice(name.length)))
  })
}

const endings = new Set(split(ENDINGS))

/** One of the list's endings, or a few digits and symbols, which are quick to guess. */
function isEnding(text: string): boolean {
  return endings.has(text) || /^[!@#$._-]{0,2}\d{1,6}[!@#$._-]{0,2}$/.test(text)
}

/** Words with look-alikes and endings, in order of the sum of both positions, until the list is full. */
function list(): string[] {
  const found = new Set(split(OTHERS))
  const words = split(WORDS)
  const tails = split(ENDINGS)
  for (const word of words)
    for (const form of lookalikesOf(word)) if (form.length >= SHORTEST && hasDigitAndSymbol(form)) found.add(form)
  // One step along the words equals six along the endings, which are about six times as many.
  for (let place = 0; found.size < LISTED && place < words.length + 6 * tails.length; place++)
    for (let tail = 0; tail < tails.length && found.size < LISTED; tail++) {
      const word = words[place - 6 * tail]
      if (word === undefined) continue
      const password = capitalised(word) + tails[tail]
      if (password.length >= SHORTEST) found.add(password)
    }
  return [...found]
}

function lookalikesOf(word: string): string[] {
  const forms = [word]
  for (const [letter, sign] of LOOKALIKES)
    forms.push(...forms.map((form) => form[0] + form.slice(1).replace(letter, sign)))
  return forms.map(capitalised)
}

function hasDigitAndSymbol(text: string): boolean {
  return /\d/.test(text) && /[@$!]/.test(text)
}

function capitalised(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

function split(words: string): string[] {
  return words.trim().split(/\s+/)
}

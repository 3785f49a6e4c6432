/**
 * The passwords that guessing begins with, among those that the rule of four classes lets through: the words that head
 * every published list, with the endings people put behind them when a form asks for a digit and a symbol, and the
 * product's own words. They are compared as a whole and without regard to case, never as parts of a longer password.
 */
const WORDS = [
  'password',
  'passw0rd',
  'p@ssword',
  'p@ssw0rd',
  'pa$$word',
  'pa$$w0rd',
  'welcome',
  'qwerty',
  'admin',
  'letmein',
  'iloveyou',
  'football',
  'sunshine',
  'princess',
  'dragon',
  'monkey',
  'master',
  'superman',
  'summer',
  'winter',
  'changeme',
  'abcd',
  'asdf',
  'fairball',
  'bitcoin',
  'lottery',
  'jackpot',
]

const ENDINGS = [
  '1!',
  '1@',
  '1#',
  '12!',
  '123!',
  '123@',
  '123#',
  '1234!',
  '12345!',
  '!1',
  '!123',
  '@1',
  '@12',
  '@123',
  '@1234',
  '#1',
  '#123',
]

const OTHERS = [
  'p@ssw0rd',
  'pa$$w0rd',
  'p@55w0rd',
  '1qaz!qaz',
  '1qaz@wsx',
  '!qaz2wsx',
  'zaq1@wsx',
  'q1w2e3r4!',
  'qwer1234!',
  'aa123456!',
  'a123456!',
]

const SHORTEST = 8

const common = new Set([
  ...OTHERS,
  ...WORDS.flatMap((word) => ENDINGS.map((ending) => word + ending)).filter((one) => one.length >= SHORTEST),
])

/** Whether a whole password is one of the commonest. */
export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase())
}

/** The list itself, in lower case, for tests. */
export const COMMON_PASSWORDS: readonly string[] = [...common]

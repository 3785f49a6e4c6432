/** Words in place of the operator's own: in capitals, or marked as an example. */
const MARKS = [
  /\bTHE (?:NAME OF THE LICENSED COMPANY|AUTHORITY|NUMBER)\b/,
  /^(?:STREET AND NUMBER|POSTCODE AND TOWN|COUNTRY)$/,
  /\(example\)$/,
]
/** The other texts of docs/content.example.json, which say nothing of any operator. */
const TEXTS: ReadonlySet<string> = new Set([
  'office@lottery.example',
  'https://t.me/example',
  'https://social.example/@lottery',
  'a-good-cause',
  "What the cause does, for whom, and what your players' games have done for it so far.",
  'https://charity.example/about',
  'a-charity',
  'https://charity.example/',
])

/**
 * The places of a content file that still say what the example of the documentation says.
 *
 * @param value the file as it was read
 * @returns the places, such as `operator.address[0]`
 */
export function placeholdersIn(value: unknown, place = ''): string[] {
  if (typeof value === 'string') {
    const text = value.trim()
    return TEXTS.has(text) || MARKS.some((mark) => mark.test(text)) ? [place] : []
  }
  if (Array.isArray(value)) return value.flatMap((item, index) => placeholdersIn(item, `${place}[${index}]`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => placeholdersIn(item, place === '' ? name : `${place}.${name}`))
}

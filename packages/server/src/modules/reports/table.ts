/** A value of a report: satoshis and ids are whole numbers, fiat amounts decimal texts, times epoch seconds. */
type Value = string | number | bigint | null

/** A report as rows, some at a time. */
export interface Table {
  /** what the JSON answer says besides the rows */
  readonly about: Readonly<Record<string, string | number>>
  readonly columns: readonly string[]
  readonly rows: AsyncIterable<readonly (readonly Value[])[]> | Iterable<readonly (readonly Value[])[]>
}

/** The pieces of a table as CSV (RFC 4180, lines ended by LF), its first line the names of the columns. */
export async function* csvOf({ columns, rows }: Table): AsyncGenerator<string> {
  let head = lineOf(columns)
  for await (const some of rows) {
    yield head + some.map(lineOf).join('')
    head = ''
  }
  if (head !== '') yield head
}

/** The pieces of a table as JSON: `{…about, rows: [{column: value}]}`. */
export async function* jsonOf({ about, columns, rows }: Table): AsyncGenerator<string> {
  const names = columns.map((column) => `${JSON.stringify(column)}:`)
  const open = JSON.stringify(about).slice(0, -1)
  let before = `${open}${Object.keys(about).length === 0 ? '' : ','}"rows":[`
  for await (const some of rows) {
    if (some.length === 0) continue
    yield before + some.map((row) => `{${row.map((value, at) => names[at] + jsonValue(value)).join(',')}}`).join(',')
    before = ','
  }
  yield before === ',' ? ']}' : `${before}]}`
}

function lineOf(values: readonly Value[]): string {
  return `${values.map(csvValue).join(',')}\n`
}

function csvValue(value: Value): string {
  if (value === null) return ''
  const text = String(value)
  return /[",\r\n]/u.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function jsonValue(value: Value): string {
  return typeof value === 'bigint' ? value.toString() : JSON.stringify(value)
}

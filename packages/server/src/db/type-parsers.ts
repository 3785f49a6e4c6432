import pg from 'pg'

type Parse = (text: string) => unknown

/** Numbers need no quotes, so a list of them (`{1,2,NULL}`) is cut at its commas. */
const arrayOf =
  (parse: Parse): Parse =>
  (text) =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((one) => (one === 'NULL' ? null : parse(one)))
const sameText: Parse = (text) => text

/** If the driver's own reading would lose something: int8 as text, numeric[] as floating point, int8[] as text. */
const PARSERS = new Map<number, Parse>([
  [20, BigInt],
  [1016, arrayOf(BigInt)],
  [1700, sameText],
  [1231, arrayOf(sameText)],
])

/** How the connections of a pool parse the server's values. Passed to each pool, so that no global is changed. */
export const typeParsers: pg.CustomTypesConfig = { getTypeParser: parserOf as typeof pg.types.getTypeParser }

function parserOf(oid: number, format?: 'text' | 'binary'): unknown {
  const own = format === 'binary' ? undefined : PARSERS.get(oid)
  return own ?? pg.types.getTypeParser(oid, format)
}

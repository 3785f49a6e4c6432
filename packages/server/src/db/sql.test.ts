import { describe, expect, it } from 'vitest'
import { array, columnList, decodeRow, encodeArgs, nullable, registeredStatements, sql, t } from './sql.ts'

const statement = sql({
  name: 'sql-test.find',
  text: 'select $1::bigint as id, $2::text as word',
  params: [t.bigint, nullable(t.text)],
  row: { id: t.bigint, word: nullable(t.text) },
})

describe('a statement', () => {
  it('a statement is in the registry under its name, and no second one may take it', () => {
    expect(registeredStatements()).toContain(statement)
    expect(() => sql({ name: 'sql-test.find', text: 'select 1' })).toThrow('two statements are named sql-test.find')
  })

  it.each(['find', 'Orders.find', 'orders.find_one', `orders.${'x'.repeat(60)}`])(
    'a statement is not named %s',
    (name) => {
      expect(() => sql({ name, text: 'select 1' })).toThrow(/named module\.verb-object|too long/)
    },
  )

  it('a statement says which argument does not fit its type, and how many it takes', () => {
    expect(encodeArgs(statement, [7n, null])).toEqual(['7', null])
    expect(() => encodeArgs(statement, [7, null])).toThrow('sql-test.find, $1: 7 is no bigint')
    expect(() => encodeArgs(statement, [7n])).toThrow('sql-test.find takes 2 arguments, not 1')
  })

  it('a statement takes its arguments by name if its text names them, in any order', () => {
    const named = sql({
      name: 'sql-test.add',
      text: 'insert into words (word, id, same) values ($word, $id, $word)',
      params: { id: t.bigint, word: nullable(t.text) },
    })
    expect(named.text).toBe('insert into words (word, id, same) values ($2, $1, $2)')
    expect(encodeArgs(named, { word: 'a', id: 7n })).toEqual(['7', 'a'])
    expect(() => encodeArgs(named, { id: 7n, word: 8 })).toThrow('sql-test.add, $word: 8 is no text')
    expect(() => encodeArgs(named, { id: 7n })).toThrow('sql-test.add takes 2 arguments, not 1')
  })

  it.each([
    ['that its text has and it does not declare', 'select $id', {}, 'sql-test.undeclared declares no parameter $id'],
    ['that it declares and its text lacks', 'select 1', { id: t.int }, 'sql-test.undeclared has no use for $id'],
  ])('a statement is refused for a parameter %s', (_what, text, params, message) => {
    expect(() => sql({ name: 'sql-test.undeclared', text, params })).toThrow(message)
  })

  it('a statement says which column does not fit its type, and drops undeclared ones', () => {
    expect(decodeRow(statement, { id: 7n, word: 'a', secret: 'b' })).toEqual({ id: 7n, word: 'a' })
    expect(() => decodeRow(statement, { id: null, word: 'a' })).toThrow('sql-test.find, column id: null is no bigint')
    expect(() => decodeRow(statement, { id: 7n })).toThrow('column word: undefined is no text')
  })

  it('a statement returns its columns in camelCase, and names the column if a value does not fit', () => {
    const row = { id: t.bigint, gameKey: t.text, paidSatsSince: t.bigint }
    expect(columnList(row)).toBe('id, game_key, paid_sats_since')
    const camel = sql({ name: 'sql-test.find-camel', text: `select ${columnList(row)} from plays`, row })
    const raw = { id: 7n, game_key: 'lotto', paid_sats_since: 21n }
    expect(decodeRow(camel, raw)).toEqual({ id: 7n, gameKey: 'lotto', paidSatsSince: 21n })
    expect(() => decodeRow(camel, { ...raw, game_key: 1 })).toThrow('column game_key: 1 is no text')
  })
})

describe('a type', () => {
  it.each([
    ['bigint', t.bigint, 2n ** 63n],
    ['bigint', t.bigint, '7'],
    ['epochSeconds', t.epochSeconds, 1.5],
    ['epochSeconds', t.epochSeconds, NaN],
    ['int', t.int, 2 ** 31],
    ['int', t.int, '1'],
    ['smallint', t.smallint, 40_000],
    ['text', t.text, 7],
    ['bool', t.bool, 'true'],
    ['bytea', t.bytea, 'ff'],
    ['uuid', t.uuid, 'not-a-uuid'],
    ['numeric', t.numeric, '1e5'],
    ['oneOf', t.oneOf(['open', 'closed']), 'ajar'],
    ['array', array(t.int), [1, null]],
  ])('the type %s refuses %#: %s', (_name, codec, value) => {
    expect(() => (codec.encode as (value: unknown) => unknown)(value)).toThrow(TypeError)
  })

  it('a type has no array if it may be null, or if its array type is unknown', () => {
    expect(() => array(nullable(t.int))).toThrow(TypeError)
  })
})

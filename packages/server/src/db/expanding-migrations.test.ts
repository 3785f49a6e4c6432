import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MIGRATIONS_FOLDER } from './migrate.ts'

/** Up to here no installation was replaced one process at a time. */
const LAST_FREE = 23
/** Version 2 of the draw protocol: it begins with an empty database, which is not in use yet. */
const OF_EMPTY_DATABASES: readonly number[] = [60, 61]

/** What the program of the previous release could fail on, while it still runs. */
const CONTRACTING: readonly (readonly [what: string, step: RegExp])[] = [
  ['takes something away', /\bdrop\s+(?:table|column|view|function|type|index|constraint|default|sequence|schema)\b/u],
  ['renames something', /\brename\b/u],
  ['changes a type', /\balter\s+(?:column\s+)?\w+\s+(?:set\s+data\s+)?type\b/u],
  ['asks for a value that nobody gives yet', /\bset\s+not\s+null\b/u],
  [
    'adds a column that every insert would have to name',
    /\badd\s+(?:column\s+)?\w+[^,;]*\bnot\s+null\b(?![^,;]*\bdefault\b)/u,
  ],
  // The invariants of the previous release compare triggers and what they call with their old state (I1).
  [
    'changes what the database refuses',
    /\b(?:create\s+or\s+replace\s+(?:function|trigger)|(?:drop|alter)\s+trigger|(?:disable|enable)\s+(?:\w+\s+)?trigger)\b/u,
  ],
  ['empties a table', /(?<!\b(?:before|or)\s+)\btruncate\b/u],
]

/** A check that is replaced under its name, by one that allows more: what the previous release writes still passes. */
const WIDENED_CHECK = /\bdrop constraint (\w+),\s*add constraint \1 check\b/gu

/** A foreign key that ends: the database refuses less. PostgreSQL's names for them. */
const ENDED_REFERENCE = /\bdrop constraint \w+_fkey\b/gu

/** The contracting steps of a migration. */
function contractingSteps(text: string): string[] {
  const plain = text
    .replaceAll(/--[^\n]*/gu, '')
    .toLowerCase()
    .replaceAll(WIDENED_CHECK, 'check')
    .replaceAll(ENDED_REFERENCE, 'end')
  return CONTRACTING.flatMap(([what, step]) => (step.test(plain) ? [what] : []))
}

describe('a migration after 0023', () => {
  const names = readdirSync(MIGRATIONS_FOLDER).filter((name) => {
    const number = Number(name.slice(0, 4))
    return number > LAST_FREE && !OF_EMPTY_DATABASES.includes(number)
  })

  it.each(names.length === 0 ? ['none yet'] : names)('a migration keeps the program before it working: %s', (name) => {
    const text = names.length === 0 ? '' : readFileSync(join(MIGRATIONS_FOLDER, name), 'utf8')
    expect(contractingSteps(text)).toEqual([])
  })

  it.each([
    ['alter table players drop column username', 'takes something away'],
    ['alter table players rename column username to name', 'renames something'],
    ['ALTER TABLE orders ALTER COLUMN price TYPE numeric', 'changes a type'],
    ['alter table orders alter column price set not null', 'asks for a value that nobody gives yet'],
    ['alter table orders add column tip bigint not null', 'adds a column that every insert would have to name'],
    ['create or replace function refuse_change() returns trigger', 'changes what the database refuses'],
    ['drop trigger postings_append_only on postings', 'changes what the database refuses'],
    ['alter table postings disable trigger all', 'changes what the database refuses'],
    ['truncate sessions', 'empties a table'],
  ])('a migration may not do this: %s', (text, what) => {
    expect(contractingSteps(text)).toEqual([what])
  })

  it('a migration may add tables, indexes, and columns that have a default or may be empty', () => {
    const text = `-- drop table nothing
      create table tips (id bigint primary key, note text not null);
      create index tips_note on tips (note);
      create trigger tips_append_only before update or delete or truncate on tips for each statement execute function refuse_change();
      alter table orders add column tip bigint not null default 0;
      alter table tips drop constraint tips_note_check, add constraint tips_note_check check (note <> '');
      alter table tips drop constraint tips_order_id_fkey;
      alter table orders add column note text, add column kind text not null default 'x';`
    expect(contractingSteps(text)).toEqual([])
  })
})

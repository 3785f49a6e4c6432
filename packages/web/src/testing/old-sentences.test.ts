import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const SOURCES = new URL('../', import.meta.url)

/** Fragments of former sentences on pages that were not natural English. */
const OLD = [
  'Is the public randomness',
  'public randomness is late',
  'Does it not come',
  'Can a draw not be sealed',
  'At the third time it is void',
  'Was the payment made in time',
  'Is the day today',
  "today's draw has already closed",
  'Who has excluded',
  'himself or herself',
  'less than nothing',
  'was put off. Its sales',
  'Your results say what',
  'can be checked here holds',
  'lead your prize elsewhere',
  'Wins stand here',
  'by themselves',
  'by itself',
  'counts at once',
  'every ticket stays in',
  'this page catches up',
  'every draw since then',
  'CLAIM shows how',
  'each play kept its stake',
  'its winners have agreed',
  'banner that asks',
  'automatically with your next order of that game',
  'Every step is a signed statement',
  'makes its random numbers itself',
  'which show which lines are yours',
]

/** The sources without comments and tests, whose remaining words are on the pages. */
const words = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/u.test(file) && !/\.test\.tsx?$/u.test(file))
  .map((file) => ({
    file,
    text: readFileSync(new URL(file, SOURCES), 'utf8').replaceAll(/\/\*.*?\*\/|\/\/.*$/gmsu, ''),
  }))

it.each(OLD)('no page contains the former sentence "%s"', (old) => {
  expect(words.filter(({ text }) => text.includes(old)).map(({ file }) => file)).toEqual([])
})

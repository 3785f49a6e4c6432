import { expect, it } from 'vitest'
import { contactRules } from './contact-rules.ts'

const GOOD = { name: 'Ann', email: 'ann@example.org', countryId: 3, message: 'Hello' }

it.each([
  ['everything', {}, []],
  ['a name of 250 characters and a message of 65000', { name: 'n'.repeat(250), message: 'm'.repeat(65_000) }, []],
  ['no name', { name: ' ' }, ['name']],
  ['a name of 251 characters', { name: 'n'.repeat(251) }, ['name']],
  ['a bad address', { email: 'ann@' }, ['email']],
  ['no country', { countryId: 0 }, ['countryId']],
  ['no message', { message: '\n' }, ['message']],
  ['a message of 65001 characters', { message: 'm'.repeat(65_001) }, ['message']],
] as const)('a contact form with %s is checked', (_what, change, fields) => {
  const { issues = [] } = contactRules()['~standard'].validate({ ...GOOD, ...change })
  expect(issues.map((issue) => issue.path.join())).toEqual(fields)
})

it('the prefix of a message counts toward its length, but does not replace the message', () => {
  const check = (message: string) =>
    contactRules('Feedback: ')
      ['~standard'].validate({ ...GOOD, message })
      .issues?.map(({ path }) => path.join()) ?? []
  expect(check('m'.repeat(64_990))).toEqual([])
  expect(check('m'.repeat(64_991))).toEqual(['message'])
  expect(check(' ')).toEqual(['message'])
})

import { expect, it } from 'vitest'
import { fairnessValues } from './fairness-record.ts'

/** The open statement of the worked example of the draw protocol (fairness, section 11). */
const OPEN = `fairball/open/v1
operator lottery.example
seq 41
prev 8d684dbfbb7e709fee4d41e3858dbf0750dedd1e6ec0559f1f562d4bad74e95e
time 1785780000
game bitcoin-lotto
draw 17
pick 6
pool 49
close 1788201313
start 1788201913
chain 52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971
round 31799517
seedhash a2bb3ee9ea81ae7f8462ac3b0db6aa58a41204e9f1450f540c3ceed1e97715a3
rules 1ce21b243ddfe0f26d83105e17a7879e46cf5d2a7df8b2c0aa6bdc42ab11a9f3
witness 0

— lottery.example m2xkixH8Ih0cSU2YynK7+3bHiBPx9wefqD2fgf3Vkyj5PNl7SYuHrbWy4Id9em8QUvO3J/6caToBl3eWOKZfdoB+yAs=
`

it('shows hash and seed hash of the open statement, then the round and its signature', () => {
  const record = { notes: [OPEN], witnesses: [], beacon: { round: 31_799_517, signature: 'b7a6' } }
  expect(fairnessValues(record)).toEqual([
    { name: 'Open statement (hash)', value: 'e7d6378843a57b69ea0c59c614dbeebd786ce2aae2642c34c934abd109ad3054' },
    { name: 'Seed hash', value: 'a2bb3ee9ea81ae7f8462ac3b0db6aa58a41204e9f1450f540c3ceed1e97715a3' },
    { name: 'Beacon round', value: '31799517' },
    { name: 'Beacon signature', value: 'b7a6' },
  ])
})

it('leaves out notes it cannot read', () => {
  expect(fairnessValues({ notes: ['nonsense', OPEN.replace('seq 41', 'seq x')], witnesses: [], beacon: null })).toEqual(
    [],
  )
})

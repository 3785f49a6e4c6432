import { parseBundle } from '@fairball/domain/fairness/bundle-file'
import { fromHex, toHex } from '@fairball/domain/fairness/bytes'
import { roundDueAt } from '@fairball/domain/fairness/chain'
import { type DrawFixture, fixedBytes, fixedPlay, gameOf, startOf } from '@fairball/domain/fairness/draw-fixture'
import { OperatorFixture } from '@fairball/domain/fairness/operator-fixture'
import { resigned, textOf } from '@fairball/domain/fairness/resigned-fixture'
import { signNote, witnessedAt } from '@fairball/domain/fairness/signed-note'
import { parseStatement, statementText, type LoggedStatement } from '@fairball/domain/fairness/statements'
import { describe, expect, it } from 'vitest'
import { fingerprintOfKey } from './operator-key.ts'
import { runProgram } from './program.ts'
import { Crash, StandIn, World } from './world-fixture.ts'

const URL_TEXT = 'https://lottery.example'
const FOLDER = 'alice-folder'
const LOTTO = gameOf('bitcoin-lotto')
const CLOSE_AT = startOf(1) - 600
const never = new AbortController().signal

/** An operator with one draw, opened, and a witness that has looked at it an hour before its close. */
async function watched(options: { isNamed?: boolean; args?: string[]; plays?: number } = {}) {
  const standIn = new StandIn()
  const world = new World(standIn, CLOSE_AT - 3600)
  await look(world, 'key', '--name', 'alice', '--state', FOLDER)
  const line = world.outLines.at(-1) ?? ''
  const [name = '', publicKey = ''] = line.split('=')
  const witness = { required: 1, list: [{ name, publicKey }] }
  const plays = [fixedPlay('bob', options.plays ?? 3, LOTTO)]
  const draw = standIn.operator.open(1, plays, options.isNamed === false ? {} : { witness })
  standIn.draws.push(draw)
  const { round } = standIn.operator.openOf(draw)
  const dueAt = roundDueAt(round, standIn.operator.chain)
  const once = async (at: number, ...more: string[]): Promise<number> => {
    world.at = at
    return await look(world, URL_TEXT, '--state', FOLDER, '--once', ...(options.args ?? []), ...more)
  }
  expect(await once(CLOSE_AT - 3600)).toBe(0)
  return { standIn, world, draw, dueAt, deadlineAt: dueAt - 60, once, witness: { name, publicKey: fromHex(publicKey) } }
}

async function look(world: World, ...args: string[]): Promise<number> {
  return await runProgram(args, world, never)
}

function rows(world: World, file: string): Record<string, unknown>[] {
  return world.files.rows(`${FOLDER}/${file}`)
}

function alarmKinds(world: World): unknown[] {
  return rows(world, 'alarms.jsonl').flatMap(({ kind }) => kind ?? [])
}

function evidence(
  world: World,
  name: string,
): { fork: string[] | null; notes: string[]; keys: string[]; failed?: string[] } {
  return JSON.parse(world.files.text(`${FOLDER}/${name}`))
}

describe('following an honest operator', () => {
  it('keeps the log, signs the close, hands it over, verifies the result, and alarms of nothing', async () => {
    const { standIn, world, draw, deadlineAt, once, witness } = await watched()
    const { operator } = standIn
    const closeHash = operator.close(draw)
    expect(await once(CLOSE_AT + 30)).toBe(0)
    expect(standIn.handedOver).toHaveLength(1)
    const [note = ''] = standIn.handedOver
    expect(textOf(note)).toBe(operator.textOf(closeHash))
    expect(witnessedAt(note, witness)).toBe(CLOSE_AT + 30)
    expect(CLOSE_AT + 30).toBeLessThan(deadlineAt)

    operator.result(draw, closeHash)
    expect(await once(startOf(1) + 130)).toBe(0)
    expect(await once(startOf(1) + 160)).toBe(0)
    expect(standIn.handedOver).toHaveLength(1)
    expect(rows(world, 'results.jsonl')).toMatchObject([
      { game: 'bitcoin-lotto', draw: 1, outcome: 'passed', failed: [] },
    ])
    expect(rows(world, 'log.jsonl').map(({ note: kept }) => kept)).toEqual(operator.notes)
    expect(rows(world, 'log.jsonl')[3]).toMatchObject({ seq: 3, seen_at: CLOSE_AT + 30, looked_at: CLOSE_AT - 3600 })
    expect(rows(world, 'alarms.jsonl')).toEqual([])
    expect(await look(world, 'check', '--state', FOLDER)).toBe(0)
    expect(world.outLines.join('\n')).toContain('1 taken by the operator')
    expect(world.outLines.join('\n')).toContain('1 hold, 0 without numbers, 0 failed')
  })

  it('follows in a loop until it is ended, over several pages', async () => {
    const { standIn, world } = await watched()
    for (let number = 2; number < 260; number += 1) standIn.operator.open(number, [])
    const ending = new AbortController()
    let waits = 0
    world.onSleep = () => {
      waits += 1
      if (waits === 3) ending.abort()
    }
    expect(await runProgram([URL_TEXT, '--state', FOLDER, '--interval', '60'], world, ending.signal)).toBe(0)
    expect(rows(world, 'log.jsonl').map(({ seq }) => seq)).toEqual(standIn.operator.notes.map((_, seq) => seq))
    expect(world.files.names(FOLDER)).not.toContain('lock')
  })

  it.each([
    ['a draw that does not name it', { isNamed: false }],
    ['--no-post', { args: ['--no-post'] }],
  ])('signs, but keeps the signature to itself: %s', async (_, options) => {
    const { standIn, world, draw, once } = await watched(options)
    standIn.operator.close(draw)
    expect(await once(CLOSE_AT + 30)).toBe(0)
    expect(rows(world, 'signatures.jsonl')).toHaveLength(1)
    expect(standIn.asked.filter((path) => path.startsWith('POST'))).toEqual([])
  })

  it('follows a change of the key, a postponement and a second close for another round', async () => {
    const { standIn, world, draw, deadlineAt, once } = await watched()
    const { operator } = standIn
    operator.changeKey(fixedBytes('another key'), CLOSE_AT - 100)
    operator.close(draw)
    expect(await once(CLOSE_AT + 30)).toBe(0)
    const round = operator.postpone(draw, 'witness', deadlineAt + 2)
    const dueAt = roundDueAt(round, operator.chain)
    expect(await once(deadlineAt + 30)).toBe(0)
    operator.close(draw, { round, time: dueAt - 400 })
    expect(await once(dueAt - 380)).toBe(0)
    expect(rows(world, 'signatures.jsonl').filter(({ note }) => note !== undefined)).toHaveLength(2)
    expect(alarmKinds(world)).toEqual([])
  })

  it('speaks JSON when asked', async () => {
    const { standIn, world, draw, once } = await watched({ args: ['--json'] })
    standIn.operator.close(draw)
    await once(CLOSE_AT + 30)
    const events = world.outLines.slice(1).map((line) => (JSON.parse(line) as { event: string }).event)
    expect(events).toEqual(['operator', 'close', 'signed', 'taken'])
  })
})

describe('a signature', () => {
  it('is offered again until the operator takes it', async () => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(draw)
    standIn.instead = ({ method }) =>
      method === 'POST' ? Response.json({ error: { code: 'X', message: 'no \u001b[31m' } }, { status: 400 }) : null
    expect(await once(CLOSE_AT + 30)).toBe(0)
    expect(world.errLines.at(-1)).toContain('400 X no ?[31m')
    standIn.instead = null
    expect(await once(CLOSE_AT + 60)).toBe(0)
    expect(standIn.handedOver).toHaveLength(1)
    expect(
      witnessedAt(standIn.handedOver[0] ?? '', {
        name: 'alice',
        publicKey: fromHex(world.outLines[0]?.split('=')[1] ?? ''),
      }),
    ).toBe(CLOSE_AT + 30)
  })

  it('that the operator never takes is an alarm once its round is due', async () => {
    const { standIn, world, draw, dueAt, once } = await watched()
    standIn.operator.close(draw)
    standIn.instead = ({ method }) => (method === 'POST' ? new Response('', { status: 404 }) : null)
    expect(await once(CLOSE_AT + 30)).toBe(0)
    expect(await once(dueAt + 1)).toBe(1)
    expect(alarmKinds(world)).toEqual(['not-taken'])
    expect(await once(dueAt + 31)).toBe(0)
  })

  it.each([
    ['one second before the last moment', -1, 1],
    ['at the last moment', 0, 0],
    ['after it', 100, 0],
  ])('of a close first seen %s, %i s from it, is made %i times', async (_, seconds, count) => {
    const { standIn, world, draw, deadlineAt, once } = await watched()
    standIn.operator.close(draw)
    await once(deadlineAt + seconds)
    expect(rows(world, 'signatures.jsonl').filter(({ note }) => note !== undefined)).toHaveLength(count)
  })

  it('is never given to a second close of one draw and round', async () => {
    const { standIn, world, draw, once } = await watched()
    const first = standIn.operator.close(draw)
    await once(CLOSE_AT + 30)
    standIn.operator.close(draw, { stake: 1n, time: CLOSE_AT + 40 })
    expect(await once(CLOSE_AT + 60)).toBe(1)
    expect(alarmKinds(world)).toEqual(['bad-close'])
    expect(rows(world, 'signatures.jsonl').flatMap(({ close }) => close ?? [])).toEqual([first])
    expect(evidence(world, 'evidence-4.json').notes).toHaveLength(3)
  })

  it.each<[string, (draw: DrawFixture) => [DrawFixture, object]]>([
    ['the seed', (draw) => [{ ...draw, seed: fixedBytes('another seed') }, {}]],
    ['the round', (draw) => [draw, { round: 5n }]],
    ['the time: sales were open', (draw) => [draw, { time: CLOSE_AT - 1 }]],
  ])('is not given to a close with something wrong: %s', async (_, change) => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(...change(draw))
    expect(await once(CLOSE_AT + 30)).toBe(1)
    expect(alarmKinds(world)).toEqual(['bad-close'])
    expect(rows(world, 'signatures.jsonl')).toEqual([])
  })
})

describe('a late close', () => {
  it('is one that is dated after its last moment', async () => {
    const { standIn, world, draw, deadlineAt, once } = await watched()
    standIn.operator.close(draw, { time: deadlineAt + 1 })
    expect(await once(deadlineAt + 2)).toBe(1)
    expect(alarmKinds(world)).toEqual(['late-close'])
    expect(await once(deadlineAt + 32)).toBe(0)
  })

  it('is one that is dated in time, but was not there when the log was looked at after its last moment', async () => {
    const { standIn, world, draw, deadlineAt, once } = await watched()
    expect(await once(deadlineAt + 6)).toBe(0)
    standIn.operator.close(draw, { time: deadlineAt - 100 })
    expect(await once(deadlineAt + 36)).toBe(1)
    expect(alarmKinds(world)).toEqual(['late-served'])
    expect(rows(world, 'signatures.jsonl')).toEqual([])
  })

  it('is none where nobody looked in between, or only a moment after', async () => {
    const { standIn, world, draw, deadlineAt, once } = await watched()
    expect(await once(deadlineAt + 5)).toBe(0)
    standIn.operator.close(draw, { time: deadlineAt })
    expect(await once(deadlineAt + 35)).toBe(0)
    expect(alarmKinds(world)).toEqual([])
  })

  it('is none where a look began in time and took long', async () => {
    const { standIn, world, draw, deadlineAt, once } = await watched()
    standIn.instead = ({ url }) => {
      world.at += url.includes('/log?') ? 20 : 0
      return null
    }
    expect(await once(deadlineAt + 5)).toBe(0)
    standIn.instead = null
    standIn.operator.close(draw, { time: deadlineAt })
    expect(await once(deadlineAt + 60)).toBe(0)
    expect(alarmKinds(world)).toEqual([])
  })

  it('is one that is missing ten minutes after its last moment', async () => {
    const { world, deadlineAt, once } = await watched({ args: ['--silence', '600'] })
    expect(await once(deadlineAt + 600)).toBe(0)
    expect(await once(deadlineAt + 601)).toBe(1)
    expect(alarmKinds(world)).toEqual(['late-close'])
    expect(await once(deadlineAt + 630)).toBe(0)
  })

  it.each(['postpone', 'void'] as const)('is none where a %s follows in time', async (type) => {
    const { standIn, world, draw, deadlineAt, once } = await watched({ args: ['--silence', '600'] })
    if (type === 'postpone') standIn.operator.postpone(draw, 'outage', deadlineAt + 300)
    else standIn.operator.append({ type: 'void', open: draw.openHash, reason: 'outage' }, deadlineAt + 300)
    expect(await once(deadlineAt + 601)).toBe(0)
    expect(alarmKinds(world)).toEqual([])
  })
})

describe('a forked log', () => {
  /** The operator's other log: the same up to the draw, another close in it. */
  function otherBranch(standIn: StandIn): string[] {
    return resigned(standIn.operator.notes, standIn.operator, (statement) =>
      statement.type === 'close' ? { ...statement, stake: 777n } : statement,
    )
  }

  it('is found when the operator shows one statement to us first and another later, and proven', async () => {
    const { standIn, world, draw, once } = await watched({ args: ['--alarm-command', 'mail-me'] })
    standIn.operator.close(draw)
    await once(CLOSE_AT + 30)
    standIn.shown = otherBranch(standIn)
    expect(await once(CLOSE_AT + 60)).toBe(1)
    const { fork, keys } = evidence(world, 'evidence-3.json')
    expect(fork).toEqual([standIn.operator.notes[3], standIn.shown[3]])
    expect(keys).toEqual([toHex(standIn.operator.publicKey)])
    expect(world.takeAlarms()).toHaveLength(1)
    expect(world.commands).toHaveLength(1)
    expect(world.commands[0]).toMatch(/^mail-me: fairball-witness alarm \(fork\): FORK: .*evidence-3\.json$/)

    expect(await once(CLOSE_AT + 90)).toBe(1) // it stands, and is not told again
    expect(world.takeAlarms()).toEqual([])
    expect(world.commands).toHaveLength(1)
    expect(rows(world, 'log.jsonl').map(({ note }) => note)).toEqual(standIn.operator.notes)
  })

  it('is found when the other branch has gone on', async () => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(draw)
    await once(CLOSE_AT + 30)
    const other = otherBranch(standIn)
    standIn.operator.open(2, [])
    const more = resigned([...standIn.operator.notes], standIn.operator, (statement) =>
      statement.type === 'close' ? { ...statement, stake: 777n } : statement,
    )
    standIn.shown = more
    expect(more.slice(0, 4)).toEqual(other)
    expect(await once(CLOSE_AT + 60)).toBe(1)
    expect(alarmKinds(world)).toEqual(['fork'])
  })

  it('is found when an old statement is rewritten and the newest one left alone', async () => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(draw)
    await once(CLOSE_AT + 30)
    const { notes } = standIn.operator
    const rewritten = resigned(notes, standIn.operator, (statement) =>
      statement.type === 'open' ? { ...statement, start: statement.start + 60 } : statement,
    )
    standIn.shown = [...notes.slice(0, 2), ...rewritten.slice(2, 3), ...notes.slice(3)]
    let status = 0
    for (let looks = 1; looks <= 12 && status === 0; looks += 1) status = await once(CLOSE_AT + 30 + looks)
    expect(status).toBe(1)
    expect(alarmKinds(world)).toEqual(['fork'])
    expect(evidence(world, 'evidence-2.json').fork).toEqual([notes[2], rewritten[2]])
  })

  it('is found when a page does not continue what was kept, although the head is shown unchanged', async () => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(draw)
    await once(CLOSE_AT + 30)
    const { notes } = standIn.operator
    standIn.operator.open(2, [])
    const other = resigned([...notes], standIn.operator, (statement) =>
      statement.type === 'close' ? { ...statement, stake: 777n } : statement,
    )
    standIn.shown = [...notes.slice(0, 4), ...other.slice(4)]
    expect(await once(CLOSE_AT + 60)).toBe(1)
    expect(alarmKinds(world)).toEqual(['broken'])
    const kept = evidence(world, 'evidence-4.json')
    expect(kept.notes).toEqual([notes[3], other[4]])
    expect(rows(world, 'alarms.jsonl')[0]).toMatchObject({ duration: 'for-good' })
  })

  it('is found when the head is shown unchanged first and as another one when it is asked for again', async () => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(draw)
    await once(CLOSE_AT + 30)
    const { notes } = standIn.operator
    standIn.operator.open(2, [])
    const other = resigned([...notes], standIn.operator, (statement) =>
      statement.type === 'close' ? { ...statement, stake: 777n } : statement,
    )
    standIn.shown = other
    let asked = 0
    standIn.instead = ({ url }) => {
      asked += url.endsWith('from=3') ? 1 : 0
      return asked === 1 ? Response.json({ notes: [notes[3], other[4]], next: null }) : null
    }
    expect(await once(CLOSE_AT + 60)).toBe(1)
    expect(alarmKinds(world)).toEqual(['broken', 'fork'])
    expect(evidence(world, 'evidence-3.json').fork).toEqual([notes[3], other[3]])
  })

  it('between two witnesses is found when they compare their folders', async () => {
    const { standIn, world, draw, once } = await watched()
    await look(world, 'key', '--state', 'bob-folder', '--name', 'bob')
    standIn.operator.close(draw)
    const other = otherBranch(standIn)
    await once(CLOSE_AT + 30)
    standIn.shown = other
    expect(await look(world, URL_TEXT, '--state', 'bob-folder', '--once')).toBe(0)

    world.outLines.length = 0
    expect(await look(world, 'compare', FOLDER, 'bob-folder', '--json')).toBe(1)
    expect(JSON.parse(world.outLines[0] ?? '')).toMatchObject({
      outcome: 'fork',
      fork: { seq: 3, notes: [standIn.operator.notes[3], other[3]] },
    })
    expect(await look(world, 'compare', FOLDER, 'bob-folder')).toBe(1)
    expect(world.outLines.join('\n')).toContain(standIn.operator.notes[3])
    expect(world.outLines.join('\n')).toContain(other[3])
  })

  it('is none where one of two witnesses only saw less', async () => {
    const { standIn, world, draw, once } = await watched()
    expect(await look(world, URL_TEXT, '--state', 'bob-folder', '--name', 'bob', '--once')).toBe(0)
    standIn.operator.close(draw)
    await once(CLOSE_AT + 30)
    world.outLines.length = 0
    expect(await look(world, 'compare', FOLDER, 'bob-folder')).toBe(0)
    expect(world.outLines).toEqual(['The same log: 3 statements in both, 1 more in one of them.'])
  })

  it('is none where a folder shows the log of somebody else', async () => {
    const { standIn, world } = await watched()
    const stranger = new StandIn(new OperatorFixture({ keySeed: fixedBytes('stranger') }))
    standIn.shown = stranger.operator.notes
    expect(await look(world, URL_TEXT, '--state', 'bob-folder', '--name', 'bob', '--once')).toBe(0)
    world.outLines.length = 0
    expect(await look(world, 'compare', FOLDER, 'bob-folder')).toBe(1)
    expect(world.outLines[0]).toContain('Not one log.')
  })
})

describe('a log that is not as it was', () => {
  it('has shrunk, and the alarm ends when it has grown back', async () => {
    const { standIn, world, draw, once } = await watched()
    const { notes } = standIn.operator
    standIn.shown = notes.slice(0, 2)
    expect(await once(CLOSE_AT - 3000)).toBe(1)
    expect(alarmKinds(world)).toEqual(['shrank'])
    expect(evidence(world, 'evidence-2.json').notes).toEqual([notes[2]])
    standIn.shown = null
    standIn.operator.close(draw)
    expect(await once(CLOSE_AT + 30)).toBe(0)
    expect(standIn.handedOver).toHaveLength(1)
  })

  it.each<[string, (note: string) => string]>([
    ['a signature', (note) => note.replace(/.{20}\n$/, 'AAAAAAAAAAAAAAAAAAA=\n')],
    ['a text', (note) => note.replace('draw 2', 'draw 3')],
    ['nothing readable', () => '\u001b[2Jhello'],
    ['an empty note', () => ''],
  ])('is broken by %s, which nobody signed; nothing is signed until it is whole', async (_, spoil) => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(draw)
    standIn.operator.open(2, [])
    const { notes } = standIn.operator
    standIn.shown = [...notes.slice(0, 4), spoil(notes[4] ?? '')]
    expect(await once(CLOSE_AT + 30)).toBe(1)
    expect(alarmKinds(world)).toEqual(['broken'])
    expect(world.errLines.join('')).not.toContain('\u001b')
    expect(rows(world, 'signatures.jsonl')).toEqual([])
    expect(rows(world, 'log.jsonl')).toHaveLength(4)
    standIn.shown = null
    expect(await once(CLOSE_AT + 60)).toBe(0)
    expect(standIn.handedOver).toHaveLength(1)
  })

  it('is broken for good by a statement that the operator signed and that cannot follow', async () => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(draw)
    const { notes, name, keySeed } = standIn.operator
    const last = parseStatement(textOf(notes[3] ?? '')) as LoggedStatement
    const signed = signNote(statementText({ ...last, seq: 7 }), { name, secretSeed: keySeed })
    standIn.shown = [...notes.slice(0, 3), signed]
    expect(await once(CLOSE_AT + 30)).toBe(1)
    standIn.shown = null
    expect(await once(CLOSE_AT + 60)).toBe(1)
    expect(rows(world, 'alarms.jsonl')[0]).toMatchObject({ kind: 'broken', duration: 'for-good' })
    expect(rows(world, 'signatures.jsonl')).toEqual([])
  })

  it('has another statement in an old place that no key of the operator signed', async () => {
    const { standIn, world, once } = await watched()
    const { notes } = standIn.operator
    const stranger = new OperatorFixture({ keySeed: fixedBytes('stranger') })
    standIn.shown = [...notes.slice(0, 2), stranger.sign(textOf(notes[2] ?? '').replace('draw 1', 'draw 9'))]
    expect(await once(CLOSE_AT - 3000)).toBe(1)
    expect(alarmKinds(world)).toEqual(['changed'])
  })

  it('begins with another key than the one that was named, and is not kept', async () => {
    const standIn = new StandIn()
    const world = new World(standIn, CLOSE_AT)
    const args = [URL_TEXT, '--state', FOLDER, '--name', 'alice', '--once', '--key']
    expect(await look(world, ...args, '00'.repeat(32))).toBe(1)
    expect(alarmKinds(world)).toEqual(['key'])
    expect(rows(world, 'log.jsonl')).toEqual([])
    const key = toHex(standIn.operator.publicKey)
    expect(await look(world, ...args, fingerprintOfKey(key).toUpperCase())).toBe(0)
    expect(await look(world, ...args, key)).toBe(0)
    expect(rows(world, 'log.jsonl')).toHaveLength(2)
    expect(await look(world, ...args, '11'.repeat(32))).toBe(2)
  })
})

describe('silence', () => {
  it('is an alarm after ten minutes without an answer, and ends with one', async () => {
    const { standIn, world, once } = await watched()
    standIn.instead = () => new Response('', { status: 503 })
    expect(await once(CLOSE_AT - 3000)).toBe(2)
    expect(await once(CLOSE_AT - 2401)).toBe(2)
    expect(await once(CLOSE_AT - 2400)).toBe(1)
    expect(await once(CLOSE_AT - 2370)).toBe(1)
    expect(world.takeAlarms()).toHaveLength(1)
    standIn.instead = null
    expect(await once(CLOSE_AT - 2340)).toBe(0)
    expect(rows(world, 'alarms.jsonl').at(-1)).toMatchObject({ ended: `silence:log:${CLOSE_AT - 3000}` })
  })

  it('is an alarm when a close is due and nothing at all is added', async () => {
    const { standIn, world, draw, once } = await watched({ args: ['--silence', '2'] })
    expect(await once(CLOSE_AT + 120)).toBe(0)
    expect(await once(CLOSE_AT + 121)).toBe(1)
    expect(alarmKinds(world)).toEqual(['silence'])
    standIn.operator.close(draw, { time: CLOSE_AT + 130 })
    expect(await once(CLOSE_AT + 150)).toBe(0)
  })

  it('is none while other statements come, although a close is due', async () => {
    const { standIn, world, once } = await watched({ args: ['--silence', '2'] })
    standIn.operator.open(2, [], { time: CLOSE_AT + 10 })
    expect(await once(CLOSE_AT + 300)).toBe(0)
    expect(alarmKinds(world)).toEqual([])
  })

  it('about old pages alone is one as well', async () => {
    const { standIn, once, world } = await watched()
    for (let number = 2; number < 60; number += 1) standIn.operator.open(number, [])
    expect(await once(CLOSE_AT - 3100)).toBe(0)
    const head = standIn.operator.notes.length - 1
    standIn.instead = ({ url }) => (url.endsWith(`from=${head}`) ? null : new Response('', { status: 500 }))
    const statuses: number[] = []
    for (let minute = 0; minute <= 11; minute += 1) statuses.push(await once(CLOSE_AT - 3000 + minute * 60))
    expect(statuses).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1])
    expect(alarmKinds(world)).toEqual(['silence'])
    expect(world.takeAlarms()[0]).toContain('the old part of the log has not come')
    standIn.instead = null
    expect(await once(CLOSE_AT - 2000)).toBe(0)
  })

  it('after the round is an alarm when there is no result for an hour', async () => {
    const { standIn, world, draw, dueAt, once } = await watched()
    standIn.operator.close(draw)
    await once(CLOSE_AT + 30)
    expect(await once(dueAt + 3600)).toBe(0)
    expect(await once(dueAt + 3601)).toBe(1)
    expect(alarmKinds(world)).toEqual(['no-result'])
  })
})

describe('the clocks', () => {
  it('disagree when a statement is dated more than 30 seconds ahead; nothing is signed then', async () => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(draw, { time: CLOSE_AT + 40 })
    expect(await once(CLOSE_AT + 9)).toBe(1)
    expect(alarmKinds(world)).toEqual(['clock'])
    expect(rows(world, 'signatures.jsonl')).toEqual([])
    expect(await once(CLOSE_AT + 10)).toBe(0) // 30 s are allowed, and a signature is never dated before the close
    const publicKey = fromHex(world.outLines[0]?.split('=')[1] ?? '')
    expect(witnessedAt(standIn.handedOver[0] ?? '', { name: 'alice', publicKey })).toBe(CLOSE_AT + 40)
  })

  it('of this computer must not go back', async () => {
    const { world, once } = await watched()
    expect(await once(CLOSE_AT - 3700)).toBe(1)
    expect(rows(world, 'alarms.jsonl').map(({ key }) => key)).toContain('clock:back')
  })

  it('of the operator counts in a demonstration, with a loud note', async () => {
    const { standIn, world, draw, once } = await watched()
    standIn.now = CLOSE_AT + 30
    standIn.operator.close(draw)
    expect(await once(CLOSE_AT - 3000, '--clock', 'operator')).toBe(0)
    expect(world.errLines.join('\n')).toContain("THE CLOCK IS THE OPERATOR'S")
    expect(rows(world, 'log.jsonl')[3]).toMatchObject({ seen_at: CLOSE_AT + 30 })
    expect(standIn.handedOver).toHaveLength(1)
  })
})

describe('a draw that has ended', () => {
  it('with numbers that do not follow is an alarm, with evidence that a verifier reads', async () => {
    const { standIn, world, draw, once } = await watched()
    const { operator } = standIn
    const closeHash = operator.close(draw)
    await once(CLOSE_AT + 30)
    operator.result(draw, closeHash)
    const renewed = resigned(operator.notes, operator, (statement) =>
      statement.type === 'result' ? { ...statement, numbers: [1, 2, 3, 4, 5, 6] } : statement,
    )
    operator.notes.splice(0, renewed.length, ...renewed)
    expect(await once(startOf(1) + 130)).toBe(1)
    expect(alarmKinds(world)).toEqual(['result'])
    expect(evidence(world, 'evidence-2.json').failed).toEqual(['numbers.derived'])
    expect(parseBundle(world.files.text(`${FOLDER}/evidence-2.json`))).toMatchObject({ draw: 1, log: operator.notes })
    expect(await once(startOf(1) + 160)).toBe(0)
  })

  it('whose entries are withheld is an alarm after an hour', async () => {
    const { standIn, world, draw, once } = await watched({ isNamed: false })
    const { operator } = standIn
    operator.settle(draw)
    standIn.instead = ({ url }) => (url.endsWith('/entries') ? new Response('', { status: 500 }) : null)
    expect(await once(startOf(1) + 130)).toBe(0)
    expect(await once(startOf(1) + 130 + 3599)).toBe(0)
    expect(await once(startOf(1) + 130 + 3600)).toBe(1)
    expect(alarmKinds(world)).toEqual(['withheld'])
    standIn.instead = null
    expect(await once(startOf(1) + 130 + 3700)).toBe(0)
    expect(rows(world, 'results.jsonl')).toHaveLength(1)
  })

  it('is not asked about with --no-verify', async () => {
    const { standIn, world, draw, once } = await watched({ args: ['--no-verify'] })
    standIn.operator.settle(draw)
    expect(await once(startOf(1) + 130)).toBe(0)
    expect(rows(world, 'results.jsonl')).toEqual([])
  })
})

describe('an operator who answers anything', () => {
  it('never has anything kept or signed that is not in the log, and never ends the program', async () => {
    const { standIn, world, draw, once } = await watched()
    standIn.operator.close(draw)
    for (let number = 2; number < 12; number += 1) standIn.operator.open(number, [])
    const { notes } = standIn.operator
    let random = 12_345
    const below = (limit: number): number => {
      random = (random * 1_103_515_245 + 12_345) % 2_147_483_648
      return Math.floor((random / 2_147_483_648) * limit)
    }
    const spoilt = (note: string): string => {
      const at = below(note.length)
      const kinds = [
        () => note.slice(0, at) + String.fromCharCode(below(256)) + note.slice(at + 1),
        () => note.slice(0, at),
        () => note.slice(0, at) + note.slice(at + 1),
        () => note + note,
        () => notes[below(notes.length)] ?? '',
      ]
      return kinds[below(kinds.length)]?.() ?? ''
    }
    let alarmed = 0
    for (let looks = 1; looks <= 400; looks += 1) {
      const from = 3 + below(notes.length - 3)
      standIn.shown = notes.map((note, seq) => (seq === from || below(20) === 0 ? spoilt(note) : note))
      if (below(5) === 0) standIn.shown.splice(below(notes.length), below(3))
      const status = await once(CLOSE_AT - 3500 + looks)
      if (status === 1) alarmed += 1
      expect([0, 1, 2]).toContain(status)
      const kept = rows(world, 'log.jsonl').map(({ note }) => note)
      expect(kept.map((note) => textOf(String(note)))).toEqual(notes.slice(0, kept.length).map(textOf))
    }
    expect(alarmed).toBeGreaterThan(300)
    expect(alarmKinds(world)).not.toContain('fork')
    expect(world.errLines.join('')).toMatch(/^[\x20-\x7e…–—’≤≥]*$/)
  })
})

describe('a slow operator', () => {
  it('does not keep the witness from looking while it sends entries', async () => {
    const { standIn, world, draw, once } = await watched()
    const closeHash = standIn.operator.close(draw)
    expect(await once(CLOSE_AT + 30)).toBe(0)
    standIn.operator.result(draw, closeHash)
    const ending = new AbortController()
    let send = (): void => undefined
    standIn.instead = ({ url }) =>
      url.endsWith('/entries')
        ? new Promise((resolve) => (send = () => resolve(new Response(draw.entriesBytes as Uint8Array<ArrayBuffer>))))
        : null
    let waits = 0
    world.at = startOf(1) + 130
    world.onSleep = () => {
      waits += 1
      if (waits === 4) send()
      if (waits === 8) ending.abort()
    }
    expect(await runProgram([URL_TEXT, '--state', FOLDER], world, ending.signal)).toBe(0)
    expect(standIn.asked.filter((path) => path.endsWith('/entries'))).toHaveLength(1)
    expect(rows(world, 'results.jsonl')).toMatchObject([{ outcome: 'passed' }])
  })
})

describe('an alarm', () => {
  it('that a crash kept from being told is told by the next start', async () => {
    const { standIn, world, deadlineAt, draw, once } = await watched({ args: ['--alarm-command', 'mail-me'] })
    standIn.operator.close(draw, { time: deadlineAt + 1 })
    world.run = () => Promise.reject(new Crash('while the command ran'))
    await expect(once(deadlineAt + 2)).rejects.toThrow(Crash)
    world.run = World.prototype.run
    world.errLines.length = 0
    world.files.remove(`${FOLDER}/lock`)
    expect(await once(deadlineAt + 60)).toBe(1)
    expect(world.commands).toHaveLength(1)
    expect(await once(deadlineAt + 90)).toBe(0)
    expect(world.commands).toHaveLength(1)
  })

  it('whose command fails is said to have failed, and is on the screen anyway', async () => {
    const { standIn, world, deadlineAt, draw, once } = await watched({ args: ['--alarm-command', 'mail-me'] })
    standIn.operator.close(draw, { time: deadlineAt + 1 })
    world.commandProblem = 'ended with status 3'
    expect(await once(deadlineAt + 2)).toBe(1)
    expect(world.errLines.join('\n')).toContain('The alarm command did not work: ended with status 3')
    expect(world.takeAlarms()).toHaveLength(1)
  })
})

describe('a crash at any write', () => {
  /** The whole of a draw, looked at six times; each look may crash and is then made again. */
  async function lifeOfDraw(crashAt: number, part: number) {
    const { standIn, world, draw, once } = await watched()
    const { operator } = standIn
    world.files.writes = 0
    world.files.crashAt = crashAt
    world.files.part = part
    let crashes = 0
    const survive = async (at: number): Promise<void> => {
      try {
        await once(at)
      } catch (error) {
        if (!(error instanceof Crash)) throw error
        crashes += 1
        await once(at + 1)
      }
    }
    await survive(CLOSE_AT - 1000)
    const closeHash = operator.close(draw)
    operator.open(2, [])
    await survive(CLOSE_AT + 30)
    await survive(CLOSE_AT + 60)
    operator.result(draw, closeHash)
    await survive(startOf(1) + 130)
    operator.append({ type: 'close', ...lateClose(operator, draw) }, startOf(1) + 140)
    await survive(startOf(1) + 160)
    await survive(startOf(1) + 190)
    return { world, operator, crashes, writes: world.files.writes }
  }

  function lateClose(operator: OperatorFixture, draw: DrawFixture) {
    const { open, round, entries, free, root, seed, stake, pool, bankroll, floor, rate } = parseStatement(
      textOf(operator.notes[3] ?? ''),
    ) as Extract<LoggedStatement, { type: 'close' }>
    expect(open).toBe(draw.openHash)
    return { open, round, entries, free, root, seed, stake, pool, bankroll, floor, rate }
  }

  it('loses nothing, counts nothing twice and signs once', async () => {
    const { writes } = await lifeOfDraw(Number.POSITIVE_INFINITY, 0)
    expect(writes).toBeGreaterThan(20)
    let crashes = 0
    for (let crashAt = 1; crashAt <= writes; crashAt += 1) {
      for (const part of [0, 0.5, 1]) {
        const life = await lifeOfDraw(crashAt, part)
        crashes += life.crashes
        const about = `crash at write ${crashAt}, part ${part}`
        expect(
          rows(life.world, 'log.jsonl').map(({ note }) => note),
          about,
        ).toEqual(life.operator.notes)
        const signed = rows(life.world, 'signatures.jsonl').filter(({ note }) => note !== undefined)
        expect(signed, about).toHaveLength(1)
        expect(rows(life.world, 'results.jsonl'), about).toHaveLength(1)
        expect(new Set(alarmKinds(life.world)), about).toEqual(new Set(['bad-close']))
        expect(alarmKinds(life.world), about).toHaveLength(1)
        expect(await look(life.world, 'check', '--state', FOLDER), about).toBe(1)
      }
    }
    expect(crashes).toBeGreaterThan(3 * writes - 10)
  }, 120_000)
})

describe('the folder', () => {
  it('is refused when somebody changed what was kept', async () => {
    const { world, once } = await watched()
    const path = `${FOLDER}/log.jsonl`
    const text = world.files.text(path)
    world.files.content.set(path, Buffer.from(text.replace('draw 1', 'draw 2')))
    expect(await once(CLOSE_AT - 3000)).toBe(2)
    expect(world.errLines.at(-1)).toContain('log.jsonl does not fit head.json')
    world.files.content.set(path, Buffer.from(text.split('\n').slice(0, 2).join('\n').concat('\n')))
    expect(await once(CLOSE_AT - 3000)).toBe(2)
    world.files.content.set(path, Buffer.from(text.replace('{', '[')))
    expect(await once(CLOSE_AT - 3000)).toBe(2)
    expect(world.errLines.at(-1)).toContain('line 1 is damaged')
    world.files.content.set(path, Buffer.from(text))
    world.files.remove(`${FOLDER}/head.json`)
    expect(await once(CLOSE_AT - 3000)).toBe(0)
    expect(world.files.names(FOLDER)).toContain('head.json')
  })

  it.each(['key.json', 'head.json', 'status.json', 'alarms.jsonl', 'signatures.jsonl', 'results.jsonl'])(
    'is refused with a damaged %s, in words',
    async (file) => {
      const { world, once } = await watched()
      world.files.content.set(`${FOLDER}/${file}`, Buffer.from('{"form\n'))
      expect(await once(CLOSE_AT - 3000)).toBe(2)
      expect(world.errLines.at(-1)).toContain(`${file}`)
      expect(world.errLines.at(-1)).toContain('is damaged')
    },
  )

  it('is used by one process at a time; a lock of a process that is gone is taken over', async () => {
    const { world, once } = await watched()
    world.files.create(`${FOLDER}/lock`, '1\n')
    expect(await once(CLOSE_AT - 3000)).toBe(2)
    expect(world.errLines.at(-1)).toContain('Another witness, process 1, uses')
    world.files.remove(`${FOLDER}/lock`)
    world.files.create(`${FOLDER}/lock`, '99\n')
    expect(await once(CLOSE_AT - 3000)).toBe(0)
  })

  it('belongs to one witness, and its key is made once', async () => {
    const { world, once } = await watched()
    expect(await once(CLOSE_AT - 3000, '--name', 'bob')).toBe(2)
    await look(world, 'key', '--state', FOLDER)
    const lines = world.outLines.filter((line) => line.startsWith('alice='))
    expect(lines).toHaveLength(2)
    expect(lines[0]).toBe(lines[1])
    expect(lines[0]).toMatch(/^alice=[0-9a-f]{64}$/)
  })

  it('has nothing to check or compare before anything was seen', async () => {
    const world = new World(new StandIn(), CLOSE_AT)
    expect(await look(world, 'check', '--state', FOLDER)).toBe(2)
    expect(await look(world, 'compare', FOLDER, 'other')).toBe(2)
    expect(await look(world, 'key', '--state', FOLDER)).toBe(2)
  })
})

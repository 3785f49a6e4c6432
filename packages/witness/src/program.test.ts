import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { soldDraw } from '@fairball/domain/protocol/read-log-fixture'
import { describe, expect, it } from 'vitest'
import { checkpointOf, checkpointWith, cosignedTime, requestOf, treeHash } from './c2sp-fixture.ts'
import { runProgram } from './program.ts'
import { type Runtime, systemRuntime } from './runtime.ts'
import { FOLDER, LOG_KEY, ServedLog, startWitness, STATE } from './served-log-fixture.ts'
import { type MemoryFiles, World } from './world-fixture.ts'

const never = new AbortController().signal
const notFound = (): Response => new Response('', { status: 404 })

async function run(world: World, ...args: string[]): Promise<number> {
  return await runProgram(args, world, never)
}

describe('the key', () => {
  it('the key is created on first use and printed in the form of policies', async () => {
    const world = new World(notFound, 0)
    expect(await run(world, 'key', '--state', STATE, '--name', 'w.example/alice')).toBe(0)
    expect(await run(world, 'key', '--state', STATE)).toBe(0)
    expect(await run(world, 'key', '--state', STATE, '--json')).toBe(0)
    const [first = '', second, json = ''] = world.outLines
    expect(first).toMatch(/^w\.example\/alice\+[0-9a-f]{8}\+B[A-Za-z0-9+/]+=*$/)
    expect(second).toBe(first)
    expect(JSON.parse(json)).toEqual({ name: 'w.example/alice', witness: first })
  })

  it('the key is not created without a name, for another name or from a damaged file', async () => {
    const world = new World(notFound, 0)
    expect(await run(world, 'key', '--state', STATE)).toBe(2)
    await run(world, 'key', '--state', STATE, '--name', 'alice')
    expect(await run(world, 'key', '--state', STATE, '--name', 'bob')).toBe(2)
    world.files.content.set(`${STATE}/key.json`, Buffer.from('{}'))
    expect(await run(world, 'key', '--state', STATE)).toBe(2)
    expect(world.errLines).toHaveLength(3)
  })
})

describe('serving', () => {
  it('serving reports its address, its key and its cosignatures as JSON', async () => {
    const log = new ServedLog(soldDraw().operator)
    log.publish()
    const { world, verifierKey, stop } = await startWitness(log, { args: ['--json'] })
    await world.post(log.request(0))
    expect(await stop()).toBe(0)
    const events = world.outLines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(events).toMatchObject([
      { event: 'key', witness: verifierKey },
      { event: 'start', witness: verifierKey, origins: [LOG_KEY.name], port: 8480 },
      { event: 'cosigned', origin: LOG_KEY.name, size: log.leaves.length, at: world.at },
    ])
  })

  it('serving is refused without the file of logs, and while another process holds the folder', async () => {
    const world = new World(notFound, 0)
    const args = ['serve', '--state', STATE, '--logs', 'logs.txt', '--name', 'alice']
    expect(await run(world, ...args)).toBe(2)
    world.files.content.set('logs.txt', Buffer.from(`log ${LOG_KEY.verifierKey}\n`))
    world.files.content.set(`${STATE}/lock`, Buffer.from('1\n'))
    expect(await run(world, ...args)).toBe(2)
    expect(world.errLines).toEqual([
      'There is no file logs.txt. See fairball-witness --help.',
      expect.stringContaining('Another witness, process 1, uses state'),
    ])
    expect(await run(world)).toBe(2)
    expect(await run(world, '--help')).toBe(0)
  })

  it.each<[string, (files: MemoryFiles) => void]>([
    ['a statement was changed', (files) => change(files, 'statements.jsonl', 'time 17', 'time 16')],
    ['a statement is missing', (files) => change(files, 'statements.jsonl', /^.*\n/, '')],
    ['a line is not JSON', (files) => change(files, 'heads.jsonl', '{', '[')],
    ['a head is malformed', (files) => change(files, 'heads.jsonl', '\\n\\n', '\\n')],
    ['the cosigned head cannot be read', (files) => change(files, 'cosigned.json', 'v2', 'v1')],
    ['the cosigned head is another one', (files) => change(files, 'cosigned.json', /\\n4\\n/, '\\n3\\n')],
  ])('serving is refused if %s, because a fork could be signed', async (_, spoil) => {
    const log = new ServedLog(soldDraw().operator)
    log.publish()
    const { world, stop } = await startWitness(log)
    await world.post(log.request(0))
    await stop()
    spoil(world.files)
    const { ended } = await startWitness(log, { files: world.files })
    expect(await ended).toBe(2)
  })

  it('serving ends with status 2 if the disk is full, and adds nothing to an incomplete line', async () => {
    const log = new ServedLog(soldDraw().operator)
    const { world, ended } = await startWitness(log)
    log.publish()
    const { files } = world
    const append = files.append.bind(files)
    files.append = (path, text) => {
      append(path, text.slice(0, 20))
      files.append = append
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    }
    const answers = await Promise.allSettled([world.post(log.request(0)), world.post(log.request(0))])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(await ended).toBe(2)
    expect(world.errLines.at(-1)).toContain('no space left')
    const again = await startWitness(log, { files })
    expect(await again.world.post(log.request(0))).toMatchObject({ status: 200 })
  })
})

describe('check', () => {
  it('the check summarises the folder without the network, and its status tells of alarms', async () => {
    const log = new ServedLog(soldDraw().operator)
    log.publish()
    const { world, stop } = await startWitness(log)
    await world.post(log.request(0))
    await stop()
    const size = log.leaves.length
    const asked = log.asked.length
    expect(await run(world, 'check', '--state', STATE)).toBe(0)
    expect(world.outLines.join('\n')).toContain(`test.example/fairball: ${size} statements read, ${size} cosigned 20`)
    const again = await startWitness(log, { files: world.files })
    await again.world.post(requestOf(size, [], checkpointWith({ size, root: treeHash(['x']) }, LOG_KEY)))
    await again.stop()
    expect(await run(world, 'check', '--state', STATE, '--json')).toBe(1)
    expect(JSON.parse(world.outLines.at(-1) ?? '')).toMatchObject({
      origin: 'test.example/fairball',
      statements: size,
      cosigned: { size },
      breaches: [],
      alarms: [{ kind: 'fork' }],
      draws: {},
    })
    expect(log.asked.slice(asked)).toEqual(['checkpoint'])
  })

  it('the check reports a folder without logs', async () => {
    const world = new World(notFound, 0)
    expect(await run(world, 'check', '--state', STATE)).toBe(2)
    expect(world.errLines).toEqual(['Nothing was read yet in state.'])
  })
})

describe('over HTTP', () => {
  it('the program answers over HTTP as C2SP specifies', async () => {
    const log = new ServedLog(soldDraw().operator)
    log.publish()
    const folder = mkdtempSync(join(tmpdir(), 'fairball-witness-'))
    const ending = new AbortController()
    try {
      writeFileSync(join(folder, 'logs.txt'), `log ${LOG_KEY.verifierKey}\n`)
      const lines: string[] = []
      let started: () => void = () => undefined
      const start = new Promise<void>((resolve) => (started = resolve))
      const runtime: Runtime = {
        ...systemRuntime(),
        nowMs: () => (log.operator.now + 1) * 1000,
        fetch: async (input) => await log.network(new Request(input).url),
        sleep: (_, signal) =>
          new Promise((resolve) => {
            started()
            signal?.addEventListener('abort', () => resolve())
          }),
        out: (line) => lines.push(line),
      }
      const state = join(folder, 'state')
      const args = ['serve', '--state', state, '--logs', join(folder, 'logs.txt'), '--name', 'w.example/alice']
      const ended = runProgram([...args, '--listen', '127.0.0.1:0', '--json'], runtime, ending.signal)
      await start
      const { port, witness } = JSON.parse(lines[1] ?? '') as { port: number; witness: string }
      const url = `http://127.0.0.1:${port}/add-checkpoint`
      const post = async (body: string) => await fetch(url, { method: 'POST', body })
      const cosigned = await post(log.request(0))
      expect(cosigned.status).toBe(200)
      const line = (await cosigned.text()).trimEnd()
      expect(cosignedTime(line, witness, checkpointOf(log.leaves, LOG_KEY))).toBe(log.operator.now + 1)
      const conflict = await post(log.request(0))
      expect(conflict.status).toBe(409)
      expect(conflict.headers.get('content-type')).toBe('text/x.tlog.size')
      expect(await conflict.text()).toBe(`${log.leaves.length}\n`)
      expect((await post('x'.repeat(200_000))).status).toBe(413)
      expect((await fetch(url)).status).toBe(405)
      ending.abort()
      expect(await ended).toBe(0)
      const kept = readFileSync(join(state, 'logs', 'test.example%2Ffairball', 'statements.jsonl'), 'utf8')
      expect(kept.split('\n')).toHaveLength(log.leaves.length + 1)
    } finally {
      ending.abort()
      rmSync(folder, { recursive: true })
    }
  })
})

function change(files: MemoryFiles, file: string, from: string | RegExp, to: string): void {
  const path = `${FOLDER}/${file}`
  const before = files.text(path)
  const after = before.replace(from, to)
  expect(after).not.toBe(before)
  files.content.set(path, Buffer.from(after))
}

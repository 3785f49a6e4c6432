import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemFiles, systemRuntime } from './runtime.ts'
import { keyOf } from './witness-key.ts'

let folder = ''

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fairball-witness-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

const text = (path: string): string => new TextDecoder().decode(systemFiles.read(path) ?? new Uint8Array())

describe('the files of this computer', () => {
  it('files are appended to, replaced, created once, truncated and removed', () => {
    const path = join(folder, 'a')
    expect(systemFiles.read(path)).toBeNull()
    systemFiles.append(path, 'one\n')
    systemFiles.append(path, 'twö\n')
    expect(text(path)).toBe('one\ntwö\n')
    systemFiles.truncate(path, 4)
    expect(text(path)).toBe('one\n')
    systemFiles.replace(path, 'new\n')
    expect(text(path)).toBe('new\n')
    expect(systemFiles.create(path, 'other')).toBe(false)
    expect(text(path)).toBe('new\n')
    expect(readdirSync(folder)).toEqual(['a'])
    systemFiles.remove(path)
    systemFiles.remove(path)
    expect(readdirSync(folder)).toEqual([])
  })

  it('files can be read only by their owner', () => {
    const state = join(folder, 'state')
    const runtime = systemRuntime()
    const { key, isNew } = keyOf(runtime, state, 'alice')
    expect(isNew).toBe(true)
    expect(statSync(join(state, 'key.json')).mode & 0o777).toBe(0o600)
    expect(statSync(state).mode & 0o777).toBe(0o700)
    expect(keyOf(runtime, state, null)).toEqual({ key, isNew: false })
    const { key: another } = keyOf(runtime, join(folder, 'other'), 'alice')
    expect(another.publicKey).not.toEqual(key.publicKey)
  })
})

describe('an alarm command', () => {
  it('an alarm command gets the text as one argument, without a shell', async () => {
    const path = join(folder, 'told')
    const script = join(folder, 'command')
    systemFiles.create(script, `#!/bin/sh\nprintf %s "$1" > '${path}'\n`)
    const { run } = systemRuntime()
    expect(await run('/bin/sh', script)).toBeNull()
    expect(text(path)).toBe('')
    expect(await run('/bin/echo', '$(touch x); "quoted"')).toBeNull()
    expect(await run('/bin/false', 'x')).toBe('ended with status 1')
    expect(await run(join(folder, 'none'), 'x')).toContain('ENOENT')
  })
})

describe('waiting', () => {
  it('waiting ends after its time or with the signal', async () => {
    const runtime = systemRuntime()
    await runtime.sleep(1)
    const ending = new AbortController()
    const waits = runtime.sleep(60_000, ending.signal)
    ending.abort()
    await waits
    await runtime.sleep(60_000, ending.signal)
    expect(runtime.isRunning(process.pid)).toBe(true)
    expect(runtime.isRunning(2 ** 22 + 1)).toBe(false)
  })
})

import { describe, expect, it } from 'vitest'
import { serversOf } from './server-list.ts'

describe('an address of several servers', () => {
  it('each server gets the login, the database and the settings', () => {
    expect(serversOf('postgres://fair:p%40ss@one.example:5432,10.0.0.2:5433/fairball?sslmode=require')).toEqual([
      'postgres://fair:p%40ss@one.example:5432/fairball?sslmode=require',
      'postgres://fair:p%40ss@10.0.0.2:5433/fairball?sslmode=require',
    ])
    expect(serversOf('postgresql://one,[::1]:5433/fairball')).toEqual([
      'postgresql://one/fairball',
      'postgresql://[::1]:5433/fairball',
    ])
  })

  it.each([
    'postgres://fair:a,b@one/fairball',
    'postgres://fair@localhost/fairball?host=/run/a,b',
    'postgres://one/fair,ball',
    '',
  ])('%o is one address', (address) => {
    expect(serversOf(address)).toEqual([address])
  })
})

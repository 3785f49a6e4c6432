import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError, readConfig } from '../../config/config.ts'
import { siteOf } from '../settings/service.ts'
import { readContentFile } from './content-file.ts'
import { MAX_IMAGE_BYTES } from './content-images.ts'
import { EXAMPLE_CONTENT, NO_CONTENT } from './operator-content.ts'

const EXAMPLE = join(import.meta.dirname, '../../../../../docs/content.example.json')
const ADDRESS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const MAINNET_ADDRESS = 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4'

const JPEG = Buffer.from('\xff\xd8\xff\xe0 a picture', 'latin1')
const PNG = Buffer.from('\x89PNG\r\n\x1a\n a picture', 'latin1')
const WEBP = Buffer.from('RIFF\x10\0\0\0WEBPVP8 a picture', 'latin1')

const OPERATOR = {
  name: ' Lottery Company ',
  licence: 'Licensed by the authority under number 1.',
  address: ['1 Street', 'Town'],
  email: 'office@lottery.example',
}
const CAUSE = { id: 'wells', title: 'Wells', description: 'Clean water.', link: 'https://wells.example' }
const PARTNER = { id: 'wells', name: 'Wells', url: 'https://wells.example', address: ADDRESS }

/** A folder `content` in a new parent folder with these files in it, and `content.json` with this content. */
async function contentFile(content: unknown, files: Record<string, Uint8Array | string> = {}): Promise<string> {
  const parent = await mkdtemp(join(tmpdir(), 'fairball-content-'))
  onTestFinished(() => rm(parent, { recursive: true }))
  const folder = join(parent, 'content')
  await mkdir(join(folder, 'causes'), { recursive: true })
  await writeFile(join(parent, 'secret.jpg'), JPEG)
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, name), bytes)
  const path = join(folder, 'content.json')
  await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function problemsOf(content: unknown, files: Record<string, Uint8Array | string> = {}): Promise<string[]> {
  const problems: string[] = []
  readContentFile(await contentFile(content, files), { network: 'regtest' }, problems)
  return problems
}

describe('the content file', () => {
  it('the file is read completely, and what it leaves out is left out', async () => {
    const partners = [PARTNER, { ...PARTNER, id: 'books', address: null }]
    const causes = [
      { ...CAUSE, image: 'causes/wells.jpg' },
      { ...CAUSE, id: 'books' },
    ]
    const social = [{ network: 'telegram', url: 'https://t.me/example' }]
    const given = { operator: OPERATOR, social, causes, partners, feedback_form_url: 'https://forms.example/f/1?x=2' }
    const file = await contentFile(given, { 'causes/wells.jpg': PNG })
    const problems: string[] = []
    const content = readContentFile(file, { network: 'regtest' }, problems)
    expect(problems).toEqual([])
    expect(content).toMatchObject({
      operator: { ...OPERATOR, name: 'Lottery Company', phone: null, source: null },
      social,
      partners: partners.map((partner) => ({ ...partner, url: 'https://wells.example/' })),
      feedbackFormUrl: 'https://forms.example/f/1?x=2',
    })
    const [name = ''] = content.images.keys()
    expect(name).toMatch(/^[0-9a-f]{32}\.png$/)
    expect(content.images.get(name)).toEqual({ bytes: PNG, type: 'image/png' })
    expect(content.causes.map(({ image }) => image)).toEqual([`/content/${name}`, null])
    expect(readContentFile(await contentFile({}), { network: 'regtest' }, problems)).toEqual(NO_CONTENT)
    expect(problems).toEqual([])
  })

  it('all problems are reported at once, each with its place and what to set', async () => {
    const problems = await problemsOf(
      {
        operator: {
          ...OPERATOR,
          name: ' ',
          address: [],
          email: 'office',
          phone: 'call us',
          source: 'http://code.example',
          fax: '1',
        },
        social: [
          { network: 'myspace', url: 'http://example.org' },
          { network: 'x', url: 'https://user:pass@x.example' },
          { network: 'x', url: 'https://x.example' },
        ],
        causes: [
          { ...CAUSE, title: 'a\nb', image: '../secret.jpg' },
          { ...CAUSE, link: 'javascript:alert(1)', image: 'text.png' },
          { ...CAUSE, id: 'Äpfel', image: 'nowhere.png' },
        ],
        partners: [
          { ...PARTNER, address: MAINNET_ADDRESS },
          PARTNER,
          { ...PARTNER, id: 'books', address: ADDRESS.toUpperCase(), name: 'koob \u202e' },
          'a name',
        ],
        feedback_form_url: 'https://forms.example;script-src *',
        cuases: [],
      },
      { 'text.png': '<svg onload="alert(1)">' },
    )
    expect(problems.toSorted()).toEqual(
      [
        'operator.name: set a text of 1 to 120 characters, without line ends',
        'operator.address: list 1 to 8 lines',
        'operator.email: set an email address, like office@lottery.example',
        'operator.phone: set a phone number, like +44 20 7946 0000, or null',
        'operator.source: set an https address, like https://charity.example/about',
        'operator: leave out "fax", which means nothing here',
        'social[0].network: set one of facebook, x, instagram, telegram, youtube, mastodon, bluesky, linkedin, tiktok, discord, reddit',
        'social[0].url: set an https address, like https://charity.example/about',
        'social[1].url: set an https address, like https://charity.example/about',
        'social[2].network: set another network; social[1] has this one',
        'causes[0].title: set a text of 1 to 100 characters, without line ends',
        'causes[0].image: set the path of a picture beside the content file, like causes/wells.jpg, or null',
        'causes[1].link: set an https address, like https://charity.example/about',
        'causes[1].id: set another id; causes[0] has this one',
        'causes[1].image: text.png is not a picture of type JPEG, PNG or WebP',
        'causes[2].id: set an id of 1 to 50 small letters, digits and dashes, like clean-water',
        'causes[2].image: nowhere.png cannot be read (ENOENT)',
        'partners[0].address: set a bitcoin address of regtest, or null',
        'partners[1].id: set another id; partners[0] has this one',
        'partners[2].name: set a text of 1 to 100 characters, without line ends',
        'partners[2].address: set another address; partners[1] has this one',
        'partners[3]: set an object with id, name, url, address',
        'feedback_form_url: set an https address, like https://charity.example/about',
        'leave out "cuases", which means nothing here',
      ].toSorted(),
    )
  })

  it.each([
    ['nothing', '', /^it is not JSON: /],
    ['half of it', '{"operator":', /^it is not JSON: /],
    ['a list', '[]', /^set an object with operator, social, causes, partners, feedback_form_url$/],
    ['a list of words', '{"causes":["a"]}', /^causes\[0\]: set an object with id, title, description, image, link$/],
    ['an operator without a name', '{"operator":{}}', /^operator\.name: set a text of 1 to 120/],
    ['too many links', { social: Array.from({ length: 13 }, () => ({})) }, /^social: list up to 12 links$/],
  ])('a file that contains %s is refused', async (_what, content, problem) => {
    expect((await problemsOf(content)).join('\n')).toMatch(new RegExp(problem.source, 'm'))
  })

  it('a missing file is refused, and one written on another kind of computer is read', async () => {
    const problems: string[] = []
    readContentFile('/nowhere/content.json', { network: 'regtest' }, problems)
    readContentFile(tmpdir(), { network: 'regtest' }, problems)
    expect(problems).toEqual(['it cannot be read (ENOENT)', 'it cannot be read (EISDIR)'])
    expect(await problemsOf('\uFEFF{"causes":\r\n[]}')).toEqual([])
  })

  it('the example of the documentation is valid on any network', () => {
    for (const network of ['mainnet', 'testnet4', 'signet', 'regtest'] as const) {
      const problems: string[] = []
      expect(readContentFile(EXAMPLE, { network }, problems)).not.toEqual(NO_CONTENT)
      expect(problems).toEqual([])
    }
  })
})

describe('placeholders', () => {
  /** Every text of a file, by its place; networks are not the operator's words. */
  function placesOf(value: unknown, place = ''): string[] {
    if (typeof value === 'string') return [place]
    if (Array.isArray(value)) return value.flatMap((item, index) => placesOf(item, `${place}[${index}]`))
    if (typeof value !== 'object' || value === null) return []
    return Object.entries(value)
      .filter(([name]) => name !== 'network')
      .flatMap(([name, item]) => placesOf(item, place === '' ? name : `${place}.${name}`))
  }

  it('placeholders of the example are refused if players would read them, each with its place', () => {
    const problems: string[] = []
    readContentFile(EXAMPLE, { network: 'mainnet', isReal: true }, problems)
    const places = placesOf(JSON.parse(readFileSync(EXAMPLE, 'utf8')))
    expect(places).toContain('operator.address[1]')
    expect(problems).toEqual(places.map((place) => `${place}: set your own, this is the example's`))
  })

  it('placeholders end a start in production, with the file and every place', () => {
    const start = () => readConfig({ NODE_ENV: 'production', CONTENT_FILE: EXAMPLE })
    expect(start).toThrow(`CONTENT_FILE=${EXAMPLE}: operator.name: set your own, this is the example's.`)
    expect(start).toThrow('partners[0].name: set your own')
  })

  it('an operator’s own texts are no placeholders', async () => {
    const problems: string[] = []
    const operator = { ...OPERATOR, email: 'us@lottery.test' }
    const file = await contentFile({ operator, causes: [CAUSE], partners: [PARTNER] })
    readContentFile(file, { network: 'regtest', isReal: true }, problems)
    expect(problems).toEqual([])
  })
})

describe('pictures of causes', () => {
  const withImage = (image: unknown) => ({ causes: [{ ...CAUSE, image }] })

  it.each([
    ['../secret.jpg'],
    ['causes/../../secret.jpg'],
    ['/etc/passwd'],
    ['.hidden.jpg'],
    ['causes/./a.jpg'],
    ['causes//a.jpg'],
    ['causes\\a.jpg'],
    ['https://elsewhere.example/a.jpg'],
    ['a.jpg\0.png'],
    [''],
    [7],
  ])('pictures at %j are refused: only a path downwards is valid', async (image) => {
    expect(await problemsOf(withImage(image))).toEqual([
      'causes[0].image: set the path of a picture beside the content file, like causes/wells.jpg, or null',
    ])
  })

  it('pictures are refused if a link leads out of the folder, and read if it stays inside', async () => {
    const file = await contentFile(withImage('out.jpg'), { 'causes/a.jpg': JPEG })
    await symlink('../secret.jpg', join(file, '../out.jpg'))
    const problems: string[] = []
    readContentFile(file, { network: 'regtest' }, problems)
    expect(problems).toEqual([
      "causes[0].image: out.jpg leads out of the content file's folder. Put the picture into it",
    ])
    await rm(join(file, '../out.jpg'))
    await symlink('causes/a.jpg', join(file, '../out.jpg'))
    expect(readContentFile(file, { network: 'regtest' }, []).images.size).toBe(1)
  })

  it('pictures have a type that matches their content, and a maximum size', async () => {
    for (const [bytes, ending] of [
      [JPEG, 'jpg'],
      [PNG, 'png'],
      [WEBP, 'webp'],
    ] as const) {
      const file = await contentFile(withImage('a.bin'), { 'a.bin': bytes })
      const [name] = readContentFile(file, { network: 'regtest' }, []).images.keys()
      expect(name?.split('.')[1]).toBe(ending)
    }
    const large = Buffer.concat([JPEG, Buffer.alloc(MAX_IMAGE_BYTES)])
    expect(await problemsOf(withImage('a.jpg'), { 'a.jpg': large })).toEqual([
      'causes[0].image: a.jpg has more than 1000000 bytes. Make the picture smaller',
    ])
    expect(await problemsOf(withImage('causes'))).toEqual(['causes[0].image: causes is not a file'])
    expect(await problemsOf(withImage('a.jpg'), { 'a.jpg': '' })).toHaveLength(1)
  })
})

describe('the configuration', () => {
  it('the configuration has examples in the demo and nothing in production, if no file is named', () => {
    expect(readConfig({}).content).toBe(EXAMPLE_CONTENT)
    const texts = [
      ...EXAMPLE_CONTENT.causes.map(({ title }) => title),
      ...EXAMPLE_CONTENT.partners.map(({ name }) => name),
    ]
    for (const text of texts) expect(text).toContain('(example)')
    expect(EXAMPLE_CONTENT.operator?.name).toContain('(example)')
    expect(EXAMPLE_CONTENT.operator?.licence).toContain('(example)')
  })

  it('the configuration lists the problems of the file beside its own', async () => {
    const file = await contentFile({ feedback_form_url: 1, partners: [{ ...PARTNER, address: 'x' }] })
    const read = () => readConfig({ CONTENT_FILE: file, ROLE: 'leader', BITCOIN_NETWORK: 'signet' })
    expect(read).toThrow(ConfigError)
    expect(read).toThrow(
      [
        'The configuration has 3 problems:',
        '  - ROLE=leader: set one of web, worker, both, console.',
        `  - CONTENT_FILE=${file}: partners[0].address: set a bitcoin address of signet, or null.`,
        `  - CONTENT_FILE=${file}: feedback_form_url: set an https address, like https://charity.example/about.`,
      ].join('\n'),
    )
  })

  it("the configuration names the operator's email address for help if SUPPORT_EMAIL is not set", async () => {
    const file = await contentFile({ operator: OPERATOR })
    expect(siteOf({}, readConfig({ CONTENT_FILE: file })).supportEmail).toBe('office@lottery.example')
    expect(siteOf({}, readConfig({ CONTENT_FILE: file, SUPPORT_EMAIL: 'help@lottery.example' }))).toMatchObject({
      supportEmail: 'help@lottery.example',
      content: { operator: { email: 'office@lottery.example' } },
    })
  })
})

import type { ReactNode } from 'react'
import { Link } from './link.tsx'
import styles from './markdown-text.module.css'
import { ReadingPage, ReadingSection } from './reading-page.tsx'

/** A piece of a paragraph. */
type Words =
  | string
  | { kind: 'break' }
  | { kind: 'strong' | 'emphasis'; words: Words[] }
  | { kind: 'link'; href: string; words: Words[] }

/** A part of a text. A list has the number of its first item, null for bullets. */
type Block =
  | { kind: 'heading'; level: number; id: string; title: string; words: Words[] }
  | { kind: 'paragraph'; words: Words[] }
  | { kind: 'quote'; blocks: Block[] }
  | { kind: 'list'; from: number | null; items: Block[][] }

/** A chapter of a text: its heading, and what follows up to the next one. */
interface Chapter {
  id: string
  title: string
  words: Words[]
  blocks: Block[]
}

/**
 * A text as React elements, with a list of its chapters if it has several.
 *
 * @param contents the title of that list
 * @param children what follows in the last place, as a section of its own
 */
export function MarkdownText({
  blocks,
  contents,
  children,
}: {
  blocks: readonly Block[]
  contents: string
  children?: ReactNode
}) {
  const chapters: Chapter[] = []
  const before: Block[] = []
  for (const block of blocks) {
    if (block.kind === 'heading' && block.level === 2) chapters.push({ ...block, blocks: [] })
    else (chapters.at(-1)?.blocks ?? before).push(block)
  }
  const text = (
    <>
      {before.length > 0 && (
        <div className={styles['text']}>
          <Blocks blocks={before} />
        </div>
      )}
      {chapters.map(({ id, words, blocks: inside }) => (
        <ReadingSection key={id} id={id} title={<WordsOf words={words} />} className={styles['text']}>
          <Blocks blocks={inside} />
        </ReadingSection>
      ))}
      {children}
    </>
  )
  if (chapters.length < 2) return <div className={styles['whole']}>{text}</div>
  return (
    <ReadingPage contentsTitle={contents} chapters={chapters}>
      {text}
    </ReadingPage>
  )
}

function Blocks({ blocks }: { blocks: readonly Block[] }) {
  // Nothing of a text ever moves: the place of a block is its name.
  return Array.from(blocks, (block, place) => <BlockOf key={place} block={block} />)
}

function BlockOf({ block }: { block: Block }) {
  switch (block.kind) {
    case 'heading': {
      const Level = block.level > 3 ? 'h4' : 'h3'
      return (
        <Level id={block.id} className={styles['heading']}>
          <WordsOf words={block.words} />
        </Level>
      )
    }
    case 'paragraph':
      return (
        <p>
          <WordsOf words={block.words} />
        </p>
      )
    case 'quote':
      return (
        <blockquote className={styles['quote']}>
          <Blocks blocks={block.blocks} />
        </blockquote>
      )
    case 'list': {
      const items = Array.from(block.items, (item, place) => (
        <li key={place} className={styles['item']}>
          <Blocks blocks={item} />
        </li>
      ))
      return block.from === null ? (
        <ul className={styles['bullets']}>{items}</ul>
      ) : (
        <ol className={styles['numbers']} start={block.from}>
          {items}
        </ol>
      )
    }
  }
}

/** Words with their emphasis and links. */
export function WordsOf({ words }: { words: readonly Words[] }) {
  return Array.from(words, (piece, place) => <Piece key={place} piece={piece} />)
}

function Piece({ piece }: { piece: Words }) {
  if (typeof piece === 'string') return piece
  if (piece.kind === 'break') return <br />
  const inside = <WordsOf words={piece.words} />
  switch (piece.kind) {
    case 'strong':
      return <strong>{inside}</strong>
    case 'emphasis':
      return <em>{inside}</em>
    case 'link':
      return <Link href={piece.href}>{inside}</Link>
  }
}

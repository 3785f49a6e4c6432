import { Paragraphs, Points, ReadingPage, ReadingSection, Terms } from '../../../ui/reading-page.tsx'
import { Section, Specimen } from './specimen.tsx'

/** Long texts: contents, sections, paragraphs, points and terms. */
export function Reading() {
  return (
    <Section id="reading">
      <Specimen name="A page to read" of={['reading-page.tsx']}>
        {(at) => (
          <ReadingPage
            contentsTitle={`Contents, ${at}`}
            chapters={[
              { id: `first-${at}`, title: 'First' },
              { id: `second-${at}`, title: 'Second' },
            ]}
          >
            <ReadingSection id={`first-${at}`} title={`First, ${at}`}>
              <Paragraphs texts={['A paragraph is at most 65 characters wide.', 'Another one follows it.']} />
            </ReadingSection>
            <ReadingSection id={`second-${at}`} title={`Second, ${at}`}>
              <Points texts={['A point.', 'One more.']} />
              <Terms items={[{ term: 'A term', text: 'What it means.' }]} />
            </ReadingSection>
          </ReadingPage>
        )}
      </Specimen>
    </Section>
  )
}

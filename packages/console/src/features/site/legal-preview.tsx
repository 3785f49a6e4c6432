import { useMutation } from '@tanstack/react-query'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { MarkdownText } from '@fairball/ui/markdown-text.tsx'
import { useApi } from '../../shared/api.ts'
import { Failed } from '../../shared/failed.tsx'
import styles from './site.module.css'

/** A legal text as its page will show it, and what keeps it from being applied: on request, as a long one takes a second. */
export function LegalPreview({ markdown }: { markdown: string }) {
  const api = useApi()
  const preview = useMutation({ mutationFn: () => api.call('previewText', { body: { markdown } }) })
  return (
    <>
      <div>
        <Button size="small" variant="soft" busy={preview.isPending} onClick={() => preview.mutate()}>
          Show the page
        </Button>
      </div>
      <Failed error={preview.error} />
      {preview.data !== undefined && (
        <>
          {preview.data.problems.length > 0 && (
            <Banner kind="danger">
              <ul>
                {preview.data.problems.map((problem) => (
                  <li key={problem}>{problem}</li>
                ))}
              </ul>
            </Banner>
          )}
          <div className={styles['page']}>
            <MarkdownText blocks={preview.data.blocks} contents="On this page" />
          </div>
        </>
      )}
    </>
  )
}

import { useMutation } from '@tanstack/react-query'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { saveFile } from '@fairball/ui/save-file.ts'
import { useApi } from '../../shared/api.ts'
import { Failed } from '../../shared/failed.tsx'
import { Part } from '../../shared/screen.tsx'
import styles from './inbox.module.css'

/** Longest content that is shown rather than saved: a secret is one line. */
const SHOWN_CHARACTERS = 300

/** What a request has made, a secret or a file: the server gives it once, and then forgets it. */
export function OneTimeFile({ id }: { id: string }) {
  const api = useApi()
  const file = useMutation({ mutationFn: () => api.call('getFile', { params: { id } }) })
  const { data } = file
  const isShown = data !== undefined && data.content.length <= SHOWN_CHARACTERS
  return (
    <Part title="What it made">
      {data === undefined ? (
        <>
          <Banner kind="info">It can be fetched once, within 24 hours, by the people who signed.</Banner>
          <Failed error={file.error} />
          <div>
            <Button size="small" busy={file.isPending} onClick={() => file.mutate()}>
              Fetch it
            </Button>
          </div>
        </>
      ) : (
        <>
          <Banner kind="warning">Keep it now: the server has forgotten it.</Banner>
          {isShown && <code className={styles['secret']}>{data.content}</code>}
          <div className={styles['buttons']}>
            {isShown && <CopyButton text={data.content} label={`Copy ${data.name}`} />}
            <Button size="small" variant="soft" onClick={() => saveFile(data)}>
              Save {data.name}
            </Button>
          </div>
        </>
      )}
    </Part>
  )
}

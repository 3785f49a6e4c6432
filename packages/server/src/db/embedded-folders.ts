import { createHash } from 'node:crypto'
import { existsSync, readlinkSync, statSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, mkdtemp, realpath, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { canServerUser, EmbeddedDatabaseError, SHARED_STATE_FOLDER, type ServerUser } from './embedded-binaries.ts'

/** Linux allows 107 bytes, macOS 103. */
const LONGEST_SOCKET_PATH = process.platform === 'darwin' ? 103 : 107
/** PostgreSQL names its socket after the port, even if it listens on none. */
export const SOCKET_PORT = 5432
const SOCKET_NAME = `.s.PGSQL.${SOCKET_PORT}`

/**
 * The folder of the cluster and its companions, reachable for the server's user: `postgres` in the data folder. If that
 * user cannot enter the data folder (root's home), it is a link to a folder of the shared state.
 */
export async function clusterHome(dataFolder: string, user: ServerUser | null): Promise<string> {
  const home = join(dataFolder, 'postgres')
  const elsewhere = linkTarget(home)
  if (elsewhere !== null) return realpath(await ownFolder(elsewhere, user))
  if (user === null) return ownFolder(home, user)

  await ownFolder(home, user)
  if (canServerUser(user, '-w', home)) return home
  if (existsSync(join(home, 'cluster')))
    throw new EmbeddedDatabaseError(
      `The user ${user.name}, as which PostgreSQL runs, cannot enter ${home}. ` +
        `Open the folders above it (chmod a+x), or start as the user who owns it.`,
    )
  return moveOutside(dataFolder, home, user)
}

/** A cluster that an ordinary user made stays theirs when root starts it once. */
export function ownerOfCluster(dataFolder: string): ServerUser | null {
  if (process.getuid?.() !== 0) return null
  const found = statSync(join(dataFolder, 'postgres', 'cluster'), { throwIfNoEntry: false })
  if (found === undefined || found.uid === 0) return null
  return { uid: found.uid, gid: found.gid, name: `of number ${found.uid}` }
}

/**
 * Puts the cluster's folder where the user can reach it and leaves a link. Its name is new each time: a folder that an
 * absent data folder (a volume not mounted) links to is never taken or removed.
 */
async function moveOutside(dataFolder: string, home: string, user: ServerUser): Promise<string> {
  const clusters = join(SHARED_STATE_FOLDER, 'clusters')
  let outside: string
  try {
    await mkdir(clusters, { recursive: true })
    await chmod(SHARED_STATE_FOLDER, 0o755)
    await chmod(clusters, 0o755)
    outside = await mkdtemp(join(clusters, `${shortHash(dataFolder)}-`))
    await give(outside, user)
    await rm(home, { recursive: true })
    await symlink(outside, home)
  } catch (error) {
    throw new EmbeddedDatabaseError(unreachable(dataFolder, user), error)
  }
  if (!canServerUser(user, '-w', outside)) throw new EmbeddedDatabaseError(unreachable(dataFolder, user))
  return realpath(outside)
}

function unreachable(dataFolder: string, user: ServerUser): string {
  return (
    `The user ${user.name}, as which PostgreSQL runs, cannot enter ${dataFolder}. ` +
    'Set DATA_DIR to a folder under one that every user can enter (/var/lib/…), start as an ordinary user, or set DATABASE_URL.'
  )
}

/**
 * The folder of the server's socket: beside the cluster, where only its owner may enter; or a short one under /tmp if
 * the path would be too long for a socket.
 */
export async function socketFolder(home: string, user: ServerUser | null): Promise<string> {
  if (fitsSocket(home)) return home
  const uid = user?.uid ?? process.getuid?.() ?? 0
  for (const temporary of [tmpdir(), '/tmp']) {
    const folder = join(temporary, `fairball-${uid}-${shortHash(home)}`)
    if (!fitsSocket(folder)) continue
    if (await isOwn(folder, user)) return folder
    const other = await mkdtemp(`${folder}-`) // another process took the name
    await give(other, user)
    if (fitsSocket(other) && canServerUser(user, '-w', other)) return other
  }
  throw new EmbeddedDatabaseError(
    `The path ${home} is too long for a socket, and none can be made under ${tmpdir()}. Set DATA_DIR to a shorter path.`,
  )
}

function fitsSocket(folder: string): boolean {
  return Buffer.byteLength(join(folder, SOCKET_NAME)) <= LONGEST_SOCKET_PATH
}

/** Creates the folder if necessary; under /tmp anyone may have made it before. */
async function isOwn(folder: string, user: ServerUser | null): Promise<boolean> {
  try {
    await mkdir(folder, { mode: 0o700 })
    await give(folder, user)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
  }
  const found = await lstat(folder)
  const isPrivate = found.isDirectory() && (found.mode & 0o077) === 0
  return isPrivate && found.uid === (user?.uid ?? process.getuid?.()) && canServerUser(user, '-w', folder)
}

async function ownFolder(folder: string, user: ServerUser | null): Promise<string> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (user !== null && statSync(folder).uid !== user.uid) await give(folder, user)
  return folder
}

async function give(folder: string, user: ServerUser | null): Promise<void> {
  await chmod(folder, 0o700)
  if (user !== null) await chown(folder, user.uid, user.gid)
}

function linkTarget(path: string): string | null {
  try {
    return readlinkSync(path)
  } catch {
    return null // no link, or nothing there yet
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12)
}

import {
  CHANGED_ADDRESS_WAITS_SECONDS,
  TRIES_DAY_SECONDS,
  FORMER_EMAIL_SECONDS,
  KEY_SECONDS,
  KNOWN_ADDRESS_SECONDS,
  KNOWN_DEVICE_SECONDS,
  MAIL_KEPT_SECONDS,
  OTHERS_MAIL_KEPT_SECONDS,
  periodText,
  SESSION_SECONDS,
} from '@fairball/domain/periods'

const shortestKey = periodText(Math.min(...Object.values(KEY_SECONDS)))
const longestTries = periodText(Math.max(TRIES_DAY_SECONDS, ...Object.values(KEY_SECONDS)))

/**
 * The words of the privacy policy: the data that the software's database and jobs keep. Periods are those of the
 * server.
 */
export const PRIVACY_TEXTS = {
  title: 'Privacy policy',
  lead: 'What is kept about you, why, for how long, and who can see it. There is no tracking and no advertising here.',
  contents: 'Contents',

  short: 'In short',
  shortPoints: [
    'We keep what a lottery needs: an account, orders, payments, and where to send what you win.',
    'Nothing from third parties is loaded to measure or track you, and nothing is sold or given away for advertising.',
    'Passwords, answers and keys are kept as hashes: they can be compared, but not read.',
    'You can take all your data with you, and close the account, at any time and without asking anyone.',
  ],

  responsible: 'Who is responsible',
  responsibleText: (name: string) => `${name} is responsible for this installation.`,
  responsibleUnknown: 'The operator of this installation has not published a name and an address here.',
  responsibleSoftware:
    'Fairball is software that an operator runs on its own machines. This page says what the software does; the operator is responsible for backups, hosting and mail.',
  responsibleContact: 'Write to us',

  stored: 'What is kept',
  storedLead: 'Everything that is tied to your account, and how long it is kept. Expired data is deleted daily.',
  storedCaption: 'What is kept about a player',
  what: 'What',
  why: 'What for',
  howLong: 'How long',
  storedRows: [
    {
      what: 'Email address and when it was verified, username, time zone, currency',
      why: 'To recognise you, to write to you, to show times and amounts as you read them',
      howLong: 'Until the account is erased',
    },
    {
      what: 'An email address you left',
      why: 'Notices about the account still go there, in case someone else changed it',
      howLong: periodText(FORMER_EMAIL_SECONDS),
    },
    {
      what: 'Password and security answer, as slow hashes (argon2id)',
      why: 'To log you in',
      howLong: 'Until they are changed, or the account is closed',
    },
    {
      what: 'Two-factor secret, encrypted; recovery codes, as hashes',
      why: 'The second step of the login',
      howLong: 'Until you switch it off or close the account',
    },
    {
      what: 'Your id at Google, Facebook or X, if you log in with it',
      why: 'To recognise you. The network’s token is not kept',
      howLong: 'Until the account is erased',
    },
    {
      what: 'Sessions: browser, system, country of the network address, when begun and last used',
      why: 'The list of active sessions, and the mail about a new device',
      howLong: `${periodText(SESSION_SECONDS)} from the login`,
    },
    {
      what: 'Network addresses you logged in from, as keyed hashes',
      why: 'So that strangers who guess your password do not lock you out',
      howLong: periodText(KNOWN_ADDRESS_SECONDS),
    },
    {
      what: 'Browsers you logged in with, as hashes of the random number in their cookie; ten at most',
      why: 'So that strangers at your own network cannot lock you out either',
      howLong: `${periodText(KNOWN_DEVICE_SECONDS)} from the last login`,
    },
    {
      what: 'Bitcoin and Lightning addresses for payouts, and which comes first, with the date of each',
      why: `To pay you, and to delay a change by ${periodText(CHANGED_ADDRESS_WAITS_SECONDS)}`,
      howLong: 'Until the account is erased',
    },
    {
      what: 'Orders, their lines, payments, refunds, plays, wins and payouts, with their bitcoin transactions',
      why: 'The game, its books, your history',
      howLong: 'Permanently; after the account is erased without your name',
    },
    {
      what: 'Saved numbers, free tickets',
      why: 'To play them again',
      howLong: 'Until the account is erased',
    },
    {
      what: 'Limits, time out, exclusion, reminders',
      why: 'To enforce what you have set',
      howLong:
        'Until the account is closed. An exclusion outlives it: a keyed hash of each verified email address stays until the exclusion ends',
    },
    {
      what: 'Whether you agree to be shown as a winner, since when and until when',
      why: 'To show only those who agree, and to prove it',
      howLong: 'Permanently; the agreement ends with the account at the latest',
    },
    {
      what: 'Messages in your inbox, mail preferences',
      why: 'News about your orders, draws and wins',
      howLong: 'Until the account is closed',
    },
    {
      what: 'Mails to you: address, subject, kind, time',
      why: 'To know that each was sent, and once',
      howLong: `${periodText(MAIL_KEPT_SECONDS)}; the text is erased as soon as the mail has gone out`,
    },
    {
      what: 'What you write to us: name, email address, country, message',
      why: 'To answer',
      howLong: `If you were logged in, until the account is erased; otherwise until we delete it. The mail that brings it to us is kept for ${periodText(OTHERS_MAIL_KEPT_SECONDS)}`,
    },
    {
      what: 'Keys of links in mails, as hashes; counters of tries, under hashes of what was tried from where',
      why: 'Links that work once; a brake on guessing',
      howLong: `From ${shortestKey} to ${longestTries}`,
    },
  ],
  demoMail: 'This demo keeps the text of its mails, so that its outbox can show them.',

  network: 'Network addresses and logs',
  networkTexts: [
    `Every computer that fetches a page reveals its network address. It is used to count tries and, with a list on our own machine, to find the country shown in your list of sessions. Only hashes of it are stored: those of tries are counted for ${periodText(TRIES_DAY_SECONDS)} at most, and those of places you logged in from are kept for ${periodText(KNOWN_ADDRESS_SECONDS)}.`,
    'The software’s log has a line for what happens to accounts and money, with the numbers of account, session, order or payment. Requests are logged by their kind and how long they took, without the caller and without the address itself, where keys travel. Passwords, codes, tokens and email addresses are masked or left out.',
    'A server in front of the software, which many operators use, may keep its own log with network addresses. Ask the operator about it.',
  ],

  public: 'What is public',
  publicPoints: [
    'The sealed list of every draw is published so that anyone can check it: the lines of each play together, the rate they were sold at, how many were free, a random id, and a tag that only someone with your play’s secret can connect with your name.',
    'Winners are shown only if they have agreed to it, under a masked name, with game, day and amount. It can be taken back at any time in the settings.',
    'Payments and payouts are permanently public in the bitcoin block chain: amounts, times and addresses, but no names. An address that you use for nothing else reveals less about you.',
    'Sums of the ledger are public: what the operator holds and owes, and the money of each draw. Nothing in them names a player.',
  ],

  others: 'Who else sees your data',
  othersItems: [
    {
      term: 'The operator',
      text: 'The people who run this installation can read its database: everything above that is not a hash or encrypted.',
    },
    {
      term: 'Mail servers',
      text: 'Mails to you go through the operator’s mail server and that of your provider.',
    },
    {
      term: 'Payment service',
      text: 'Depending on the operator, payments are taken by its own bitcoin node or by a payment service, which then learns the order’s number and amount.',
    },
    {
      term: 'The wallet of your Lightning address',
      text: 'Only if you save one: our server asks its server for an invoice when you save it and when you are paid. It learns the amount, and that it is from us.',
    },
    {
      term: 'Social networks',
      text: 'Only if you log in with one: its own page opens, and it learns that you log in here. No script of a network is ever loaded into our pages.',
    },
    {
      term: 'Sources of rates and randomness',
      text: 'Exchange rates and the public random number are fetched by our server. They learn nothing about you.',
    },
    {
      term: 'Feedback form',
      text: 'If the operator uses a third party’s form on the feedback page, only that page loads it, in its own frame, and the third party sees your network address and what you write there.',
    },
  ],

  device: 'On your own device',
  deviceText:
    'One cookie is set, when you log in. Another page lists everything your browser keeps for this site, and how to delete it.',
  deviceLink: 'Cookies',

  rights: 'What you can do',
  rightsItems: [
    {
      term: 'See and take',
      text: 'The personal data page gives you everything that is kept about you as one file, immediately.',
    },
    { term: 'Correct', text: 'Email address, username, time zone and currency are changed in the settings.' },
    {
      term: 'Opt out',
      text: 'Mails about results and about winners and causes can be switched off. Those about your account, payments and wins are always sent.',
    },
    {
      term: 'Erasure',
      text: 'Closing the account immediately erases your login and your personal data. The data needed to pay you (email address, username, payout addresses) is erased once the last draw is over and the last payment has left. Orders and plays stay without your name, because draws were computed from them.',
    },
    {
      term: 'Complain',
      text: 'Write to us first, if you like; you can always turn to the data protection authority where you live.',
    },
  ],
  rightsLink: 'Personal data',
} as const

export const PRIVACY_CHAPTERS = [
  { id: 'in-short', title: PRIVACY_TEXTS.short },
  { id: 'responsible', title: PRIVACY_TEXTS.responsible },
  { id: 'kept', title: PRIVACY_TEXTS.stored },
  { id: 'network', title: PRIVACY_TEXTS.network },
  { id: 'public', title: PRIVACY_TEXTS.public },
  { id: 'others', title: PRIVACY_TEXTS.others },
  { id: 'device', title: PRIVACY_TEXTS.device },
  { id: 'rights', title: PRIVACY_TEXTS.rights },
] as const

import { stemWord } from './stem-word.ts';

const stopWords = new Set(
  (
    'a an and are as at be been but by can could did do does for from had has have how i if in into is it its just ' +
    'let like may me my need of on or our please s should so some such that the their them then there these they this ' +
    'those to too us use used using want was we were what when where which while who will with would you your t re ve ' +
    'll d m am being about all also any because both each few more most no nor not only other own same than very'
  ).split(' '),
);

/** Words people use for what tools name otherwise; the right side joins the query at half weight. */
const synonyms: Readonly<Record<string, string>> = {
  bash: 'command shell terminal',
  terminal: 'command shell',
  shell: 'command',
  execute: 'run',
  run: 'execute command',
  screenshot: 'capture screen browser image',
  picture: 'image photo',
  photo: 'image picture',
  image: 'picture',
  draw: 'generate chart diagram',
  plot: 'chart graph',
  chart: 'graph plot',
  graph: 'chart',
  csv: 'table data',
  spreadsheet: 'excel sheet workbook table',
  excel: 'spreadsheet workbook',
  pr: 'pull request merge',
  merge: 'pull request',
  ticket: 'issue',
  bug: 'issue',
  issue: 'ticket',
  repo: 'repository',
  repository: 'repo',
  folder: 'directory',
  directory: 'folder',
  website: 'web page url',
  site: 'web page',
  webpage: 'web page url',
  page: 'web url',
  link: 'url',
  url: 'link',
  mail: 'email message',
  email: 'mail message',
  message: 'email chat',
  meeting: 'event calendar',
  appointment: 'event calendar',
  calendar: 'event',
  weather: 'forecast',
  delete: 'remove',
  remove: 'delete',
  erase: 'delete remove',
  create: 'add new',
  make: 'create generate',
  add: 'create insert',
  new: 'create',
  change: 'update edit modify',
  edit: 'update modify',
  modify: 'update edit',
  update: 'edit modify',
  rename: 'move update',
  show: 'get list view',
  find: 'search',
  look: 'search find',
  search: 'find query',
  fetch: 'get retrieve',
  get: 'retrieve fetch',
  list: 'get all',
  buy: 'purchase order',
  price: 'cost quote',
  stock: 'quote market',
  convert: 'transform',
  translate: 'translation language',
  summarize: 'summary',
  video: 'youtube',
  song: 'music track',
  place: 'location map',
  address: 'location geocode',
  route: 'directions navigation',
  directions: 'route',
  click: 'browser press',
  browser: 'page web navigate',
  database: 'sql query table',
  sql: 'query database',
  commit: 'git',
  branch: 'git',
  paper: 'arxiv research article',
  download: 'fetch get save',
  upload: 'put send',
  test: 'run check',
  lint: 'check',
  logs: 'log',
  containers: 'docker pod',
};

/** Stems in order; camel case, digits and separators split. Words of other scripts stay as they are. */
export function wordsOf(text: string): string[] {
  return rawWords(text).flatMap((word) => (stopWords.has(word) ? [] : [stemWord(word)]));
}

/** Stems of a query with their weights: its own words fully, what they also go by at a part. */
export function weighWords(query: string, synonymWeight: number): Map<string, number> {
  const weights = new Map<string, number>();
  for (const word of rawWords(query)) {
    if (!stopWords.has(word)) weights.set(stemWord(word), 1);
  }
  for (const word of rawWords(query)) {
    const also = Object.hasOwn(synonyms, word) ? synonyms[word] : undefined;
    for (const other of also?.split(' ') ?? []) {
      const stem = stemWord(other);
      if (!weights.has(stem)) weights.set(stem, synonymWeight);
    }
  }
  return weights;
}

function rawWords(text: string): string[] {
  return text
    .replace(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

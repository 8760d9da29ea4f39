/** The folder of this package's sources: it is the registry. One file per tool in `<family>/<tool-name>.ts`. */
export const toolFolder: URL = new URL('.', import.meta.url);

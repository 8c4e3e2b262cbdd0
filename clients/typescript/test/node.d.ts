// As much of Node as the examples need, so that checking it takes no package.
declare const process: { env: Record<string, string | undefined>; exitCode?: number; argv: string[]; pid: number; exit(code: number): never };

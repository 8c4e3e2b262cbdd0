// As much of Node as the example needs, so that checking it takes no package.
declare const process: { env: Record<string, string | undefined>; exitCode?: number };

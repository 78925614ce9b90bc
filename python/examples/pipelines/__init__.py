"""Seven image pipelines as stages, each the same as the C file of its name in examples/pipelines
of the repository: `harris.pipeline()` and so on."""

package browsertest

// TapUpTo is Tap with a patience of its own; it looks once at least.
var TapUpTo = tapUpTo

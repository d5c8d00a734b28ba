/// The session language, measured beside CPython in one run. Start at [CellBench].
@org.jspecify.annotations.NullMarked
package dev.superstep.bench.cells;

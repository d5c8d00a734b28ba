/// The limit: the workloads in plain Java, with the least that they need. No framework, no
/// generality, nothing that would have to be there for other programs. Start at
/// [dev.superstep.bench.limit.LimitChild].
@org.jspecify.annotations.NullMarked
package dev.superstep.bench.limit;

/// The workloads as Superstep does them. Start at [dev.superstep.bench.workload.SuperstepChild].
@org.jspecify.annotations.NullMarked
package dev.superstep.bench.workload;

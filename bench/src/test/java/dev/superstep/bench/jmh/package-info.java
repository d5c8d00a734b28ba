/// The engine's hot path under JMH: what one of each costs and what it allocates. Run by
/// `./superstep bench --jmh`.
@org.jspecify.annotations.NullMarked
package dev.superstep.bench.jmh;

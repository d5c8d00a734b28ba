/// Servers beside each other, on one graph: requests, latencies, processor time and memory.
package dev.superstep.bench.served;

/// The program of the page on evaluation.
@org.jspecify.annotations.NullMarked
package dev.superstep.example.guide.evaluation;

/**
 * Compares what a jar refers to with what is on the class path: every class, method and field of
 * Flink that our classes name must be there, with the same descriptor and access. Finds what would
 * otherwise fail in the middle of a job, on a version of Flink that no test ran on. {@link
 * io.hudilite.linkcheck.LinkCheck} is the program.
 */
package io.hudilite.linkcheck;

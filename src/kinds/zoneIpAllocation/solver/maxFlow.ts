/** Dinic's algorithm on integer capacities. Edges that are added first are filled first, which makes the result repeatable. */

interface Edge {
  to: number;
  capacity: number;
  /** Index of the opposite edge in `to`'s list. */
  back: number;
}

/** A reference to an edge, with which a caller can ask how much flows through it. */
export interface EdgeRef {
  node: number;
  index: number;
}

/** A network that keeps its flow: capacity may be added and `augment` called again; what flows into a sink is never taken back. */
export class FlowNetwork {
  readonly #edges: Edge[][] = [];

  node(): number {
    return this.#edges.push([]) - 1;
  }

  edge(from: number, to: number, capacity: number): EdgeRef {
    const forward = this.#edgesOf(from);
    const backward = this.#edgesOf(to);
    forward.push({ to, capacity, back: backward.length });
    backward.push({ to: from, capacity: 0, back: forward.length - 1 });
    return { node: from, index: forward.length - 1 };
  }

  flow(ref: EdgeRef): number {
    const edge = this.#edgesOf(ref.node)[ref.index];
    return edge ? (this.#edgesOf(edge.to)[edge.back]?.capacity ?? 0) : 0;
  }

  /** Increases the flow as far as possible. Returns the increase. */
  augment(source: number, sink: number): number {
    let total = 0;
    for (;;) {
      const level = this.#levels(source);
      if (level[sink] === -1) return total;
      const next = new Array<number>(this.#edges.length).fill(0);
      for (;;) {
        const pushed = this.#push(source, sink, Number.MAX_SAFE_INTEGER, level, next);
        if (pushed === 0) break;
        total += pushed;
      }
    }
  }

  #edgesOf(node: number): Edge[] {
    const edges = this.#edges[node];
    if (!edges) throw new RangeError(`node ${node} is not in this network`);
    return edges;
  }

  #levels(source: number): number[] {
    const level = new Array<number>(this.#edges.length).fill(-1);
    level[source] = 0;
    const queue = [source];
    for (const node of queue) {
      for (const edge of this.#edgesOf(node)) {
        if (edge.capacity === 0 || level[edge.to] !== -1) continue;
        level[edge.to] = (level[node] ?? 0) + 1;
        queue.push(edge.to);
      }
    }
    return level;
  }

  /** Sends flow along one path of rising levels. `next` skips, for each node, the edges that were found to lead nowhere. */
  #push(node: number, sink: number, limit: number, level: number[], next: number[]): number {
    if (node === sink) return limit;
    const edges = this.#edgesOf(node);
    for (let index = next[node] ?? 0; index < edges.length; index++) {
      next[node] = index;
      const edge = edges[index];
      if (!edge || edge.capacity === 0 || level[edge.to] !== (level[node] ?? 0) + 1) continue;
      const pushed = this.#push(edge.to, sink, Math.min(limit, edge.capacity), level, next);
      if (pushed === 0) continue;
      edge.capacity -= pushed;
      const back = this.#edgesOf(edge.to)[edge.back];
      if (back) back.capacity += pushed;
      return pushed;
    }
    next[node] = edges.length;
    return 0;
  }
}

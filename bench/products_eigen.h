// Eigen's product of matrices by rows, in its own file: it is all templates, and wants the machine's own
// instructions.
#ifndef PTO_BENCH_PRODUCTS_EIGEN_H_
#define PTO_BENCH_PRODUCTS_EIGEN_H_

// c = a b, m x n, over k.
void EigenProduct(int m, int n, int k, const float* a, const float* b, float* c);

#endif  // PTO_BENCH_PRODUCTS_EIGEN_H_

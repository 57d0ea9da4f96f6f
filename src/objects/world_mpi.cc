// Ranks that are processes which mpirun started. MPI itself is in a plug-in, so that libpto needs none: there is one
// for each library of MPI, and the one is loaded that fits the process or its launcher.
//
// Where all ranks are on one machine, MPI makes memory that they share. Then all is as with processes that were forked:
// see world_shm.cc. Elsewhere, and with PTO_MPI_SHARED=0, the windows of other ranks are far: instructions that
// communicate reach them through MPI, and the addresses of their tensors lead to no memory.
#include "src/objects/world.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <dlfcn.h>
#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <string>

#include "src/objects/mpi_plugin.h"

namespace pto {

namespace {

// The plug-in is beside libpto, or where the loader looks.
void* LoadPlugin(const char* name) {
  Dl_info info{};
  if (dladdr(reinterpret_cast<const void*>(&kMpiTransport), &info) != 0 && info.dli_fname != nullptr) {
    std::string path = info.dli_fname;
    path = path.substr(0, path.rfind('/') + 1) + name;
    if (void* const found = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL); found != nullptr) return found;
  }
  return dlopen(name, RTLD_NOW | RTLD_GLOBAL);
}

// The plug-in for the MPI that the process has loaded, or for the launcher that started it.
const pto_mpi_plugin* FindPlugin(const char** why) {
  static const char* const kNames[] = {"libpto-mpi-openmpi.so", "libpto-mpi-mpich.so"};
  const bool open = dlsym(RTLD_DEFAULT, "ompi_mpi_comm_world") != nullptr;
  const bool mpich =
      !open && (dlsym(RTLD_DEFAULT, "MPIR_Err_create_code") != nullptr || std::getenv("PMI_RANK") != nullptr);
  void* const library = LoadPlugin(kNames[mpich ? 1 : 0]);
  if (library == nullptr) {
    *why = mpich ? "libpto-mpi-mpich.so cannot be loaded; install the plug-in and MPICH"
                 : "libpto-mpi-openmpi.so cannot be loaded; install the plug-in and OpenMPI";
    return nullptr;
  }
  const auto* const plugin = static_cast<const pto_mpi_plugin*>(dlsym(library, PTO_MPI_PLUGIN_SYMBOL));
  if (plugin != nullptr && plugin->version == PTO_MPI_PLUGIN_VERSION) return plugin;
  *why = "the plug-in for MPI is of another version of libpto";
  return nullptr;
}

const pto_mpi_plugin* g_plugin;  // once a world has been made

// Addresses without memory: an unintended access faults instead of reading other data.
Storage* FarWindow(int64_t bytes) {
  bool no_space = false;
  Storage* const made = Storage::Reserve(bytes == 0 ? 1 : bytes, &no_space);
  if (made != nullptr) mprotect(made->block, static_cast<size_t>(made->reserved), PROT_NONE);
  return made;
}

void PutFar(void* link, const FarPart* parts, int32_t count, FarError* error) {
  g_plugin->put(link, parts, count, error);
}
void GetFar(void* link, const FarPart* parts, int32_t count, FarError* error) {
  g_plugin->get(link, parts, count, error);
}
void SumFar(void* link, int32_t rank, int64_t offset, const void* from, int64_t count, DType dtype, FarError* error) {
  const pto_mpi_sum sum = dtype == DType::kI8    ? PTO_MPI_SUM_I8
                          : dtype == DType::kI16 ? PTO_MPI_SUM_I16
                          : dtype == DType::kI32 ? PTO_MPI_SUM_I32
                                                 : PTO_MPI_SUM_F32;
  g_plugin->sum(link, rank, offset, from, count, sum, error);
}
void SetFar(void* link, int32_t rank, int64_t offset, int32_t value, FarError* error) {
  g_plugin->set(link, rank, offset, value, error);
}
void ProgressFar(void* link) { g_plugin->progress(link); }

bool OpenMpi(World* world);

constexpr Transport kMpi = {"mpi", OpenMpi, CloseWindows, PutFar, GetFar, SumFar, SetFar, ProgressFar};
const Far* g_far;  // all that there are

bool OpenMpi(World* world) {
  const pto_mpi_plugin* const plugin = FindPlugin(&world->why);
  if (plugin == nullptr) return false;
  int32_t ranks = 0;
  if (plugin->join(&world->self, &ranks) == 0) {
    world->why = "MPI cannot be started";
    return false;
  }
  if (ranks != world->ranks) {
    world->why = "the world has another number of ranks than mpirun started";
    return false;
  }
  g_plugin = plugin;
  const char* const wish = std::getenv("PTO_MPI_SHARED");
  const bool shared = wish == nullptr || std::strcmp(wish, "0") != 0;
  void* data[kMostRanks];
  void* table = nullptr;
  void* const link = plugin->open(world->window_bytes, WaitTableBytes(), shared ? 1 : 0, data, &table);
  if (link == nullptr) return false;
  if (table == nullptr && ranks > 1) {
    auto* const far = new (std::nothrow) Far{&kMpi, link, g_far};
    if (far == nullptr) return false;
    world->waits.far = g_far = far;
  }
  for (int32_t rank = 0; rank < ranks; ++rank) {
    Storage*& window = world->windows[rank];
    window = data[rank] == nullptr ? FarWindow(world->window_bytes) : Storage::Wrap(data[rank], world->window_bytes);
    if (window == nullptr) {
      CloseWindows(world);
      return false;
    }
    window->rank = rank;
    if (data[rank] == nullptr) window->far = world->waits.far;
  }
  world->waits.table = static_cast<WaitTable*>(table);
  return true;
}

}  // namespace

const Transport* const kMpiTransport = &kMpi;

}  // namespace pto

#else

namespace pto {
const Transport* const kMpiTransport = nullptr;
}  // namespace pto

#endif

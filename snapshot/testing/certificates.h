#pragma once

#include <cstdlib>
#include <fstream>
#include <string>

#include "foretell/snapshot/node/address.h"
#include "foretell/snapshot/testing/rpc_fixture.h"
#include "gtest/gtest.h"

namespace foretell::snapshot {

// Authorities and certificates, made with the openssl command line in a folder of their own.
class Certificates {
 public:
  void MakeAuthority(const std::string& name) const {
    Run("req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=" +
        name + " -keyout " + name + ".key -out " + name + ".pem");
  }
  // `dates` as options of `openssl ca`; by default valid from now on.
  TlsFiles Make(const std::string& name, const std::string& authority, const std::string& host,
                const std::string& dates = "-days 1") const {
    Run("req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -subj /CN=" + name +
        " -keyout " + name + ".key -out " + name + ".csr");
    std::ofstream(folder_.File("ca.conf"))
        << "[ca]\ndefault_ca=d\n[d]\nnew_certs_dir=.\ndatabase=" << name << ".db\nserial=" << name
        << ".serial\ndefault_md=sha256\npolicy=p\nx509_extensions=e\n[p]\ncommonName=supplied\n"
        << "[e]\nsubjectAltName=DNS:" << host << "\n";
    std::ofstream(folder_.File(name + ".db"));
    std::ofstream(folder_.File(name + ".serial")) << "01\n";
    Run("ca -batch -config ca.conf -notext " + dates + " -cert " + authority + ".pem -keyfile " +
        authority + ".key -in " + name + ".csr -out " + name + ".pem");
    return {folder_.File(name + ".pem"), folder_.File(name + ".key"),
            folder_.File(authority + ".pem")};
  }
  std::string File(const std::string& name) const { return folder_.File(name); }

 private:
  void Run(const std::string& arguments) const {
    const std::string command =
        "cd '" + folder_.File("") + "' && openssl " + arguments + " >>log 2>&1";
    std::ifstream log(folder_.File("log"));
    ASSERT_EQ(std::system(command.c_str()), 0)
        << command << "\n"
        << std::string(std::istreambuf_iterator<char>(log), {});
  }

  TempFolder folder_;
};

}  // namespace foretell::snapshot
